import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeFolder, makeMerchant, makeServer, repository } from '../../scenes/scene.ts'
import { php, python } from './driver.ts'

const run = promisify(execFile)

/** Sends a genuine and a forged webhook to the receiver of the guide. */
const webhooksInPython = `
import base64, hashlib, hmac, json, time
data = {"playerId": "alice", "label": "a mug"}
event = {"id": "evt_1", "seq": 1, "type": "prize.won", "at": "2026-12-01T12:00:00Z", "merchant": "m", "data": data}
body = json.dumps(event).encode()
stamp = str(int(time.time()))
mac = hmac.digest(base64.b64decode(secrets[0][6:]), f"evt_1.{stamp}.".encode() + body, hashlib.sha256)
headers = {"Webhook-Id": "evt_1", "Webhook-Timestamp": stamp}
for key in (base64.b64encode(mac).decode(), "forged"):
    print(receive({**headers, "Webhook-Signature": "v1," + key}, body))
`
const webhooksInPhp = `
$data = ['playerId' => 'alice', 'label' => 'a mug'];
$event = ['id' => 'evt_1', 'seq' => 1, 'type' => 'prize.won', 'at' => '2026-12-01T12:00:00Z', 'merchant' => 'm'];
$body = json_encode($event + ['data' => $data]);
$stamp = (string) time();
$key = base64_decode(substr($webhook['secret'], 6));
$signature = base64_encode(hash_hmac('sha256', "evt_1.$stamp.$body", $key, true));
$headers = ['Webhook-Id' => 'evt_1', 'Webhook-Timestamp' => $stamp];
foreach ([$signature, 'forged'] as $one) {
    echo receive($headers + ['Webhook-Signature' => "v1,$one"], $body, [$webhook['secret']]), "\\n";
}
`

const guides = [
  { ...python, guide: 'client-python', fence: 'python', start: '', end: webhooksInPython },
  { ...php, guide: 'client-php', fence: 'php', start: '<?php\n', end: webhooksInPhp },
]

for (const { guide, fence, skip, command, args, env, start, end } of guides)
  test(
    `the examples of docs/${guide}.md, run in order, print the output that the page shows`,
    { skip },
    async (t) => {
      const text = readFileSync(join(repository, 'docs', `${guide}.md`), 'utf8')
      const examples = [...text.matchAll(new RegExp(`\`\`\`${fence}\n([^]*?)\`\`\``, 'g'))].map(
        ([, code]) => code,
      )
      assert.ok(examples.length >= 10)
      const server = await makeServer(t, { env: { PUBLIC_URL: 'http://127.0.0.1:8080' } })
      const { token } = await makeMerchant(server.ctx.db)
      const program = examples
        .join('\n')
        .replace('http://127.0.0.1:8080', server.url)
        .replace("'client-php/autoload.php'", `'${env.AUTOLOAD}'`)
      const file = join(makeFolder(t), 'guide')
      writeFileSync(file, start + program + end)
      const { stdout } = await run(command, [...args.slice(0, -1), file], { env: { ...env, TOKEN: token } })
      const shown = [...program.matchAll(/\b(?:print|echo)\b.+(?:#|\/\/) (.+)/g)].map(
        ([, line]) => line ?? '',
      )
      const printed = stdout.trimEnd().split('\n')
      assert.deepEqual(printed.slice(-4), ['alice won: a mug', '200', 'signature_mismatch', '401'])
      assert.equal(printed.length, shown.length + 4, stdout)
      for (const [index, line] of shown.entries())
        assert.ok(isLike(printed[index] ?? '', line), `${line} matches ${printed[index]}`)
    },
  )

/** Equality, where … matches anything. */
function isLike(actual: string, shown: string): boolean {
  return shown.endsWith('…') ? actual.startsWith(shown.slice(0, -1)) : actual === shown
}
