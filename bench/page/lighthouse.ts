// `npm run bench:lighthouse -- <game link>`: prints Lighthouse's scores for the page, on an emulated slow phone.
// Lighthouse is large and only needed here, so npx downloads it on demand.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts'

const version = '13.5.0'

const link = process.argv[2]
if (link === undefined) throw new Error("Pass a player's link: npm run bench:lighthouse -- <link>")

type Report = {
  categories: Record<
    string,
    { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>
}

const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))
try {
  const output = join(folder, 'report.json')
  execFileSync(
    'npx',
    [
      '--yes',
      `lighthouse@${version}`,
      link,
      '--quiet',
      '--output=json',
      `--output-path=${output}`,
      `--chrome-flags=--headless ${chromiumFlags.join(' ')}`,
    ],
    { stdio: 'inherit', env: { ...process.env, CHROME_PATH: findChromium() } },
  )
  print(JSON.parse(readFileSync(output, 'utf8')) as Report)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Prints each score, with the audits that reduced it. */
function print({ categories, audits }: Report): void {
  for (const { title, score, auditRefs } of Object.values(categories)) {
    console.log(`${title.padEnd(20)} ${Math.round((score ?? 0) * 100)}`)
    for (const { id, weight } of auditRefs) {
      const audit = audits[id]
      const isLoss = weight > 0 && audit !== undefined && audit.score !== null && audit.score < 0.9
      if (isLoss) console.log(`  ${audit.title} ${audit.displayValue ?? ''}`)
    }
  }
}
