import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeFolder, makeServer, repository } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const execute = promisify(execFile)

test(
  '<wheelhouse-game> has types in scripts, in TSX and in Vue, as docs/embedding.md says',
  onLanding,
  async (t) => {
    const server = await makeServer(t)
    const served = await fetch(`${server.url}/embed/v1.d.ts`)
    assert.equal(served.headers.get('content-type'), 'text/plain; charset=utf-8')
    const folder = makeFolder(t)
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write('wheelhouse-game.d.ts', await served.text())
    const guide = readFileSync(join(repository, 'docs', 'embedding.md'), 'utf8')
    const [react = '', vue = ''] = [...guide.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code)
    write('react.d.ts', react)
    write('vue-element.d.ts', vue)
    // Of Vue, only the name of the interface that applications extend.
    write('vue.d.ts', 'export interface GlobalComponents {}\n')
    write('page.tsx', uses)
    const types = join(repository, 'node_modules', '@types')
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          jsx: 'react-jsx',
          module: 'esnext',
          moduleResolution: 'bundler',
          target: 'esnext',
          lib: ['esnext', 'dom'],
          types: [],
          paths: {
            react: [join(types, 'react')],
            'react/*': [join(types, 'react', '*')],
            vue: ['./vue.d.ts'],
          },
        },
      }),
    )
    const tsc = join(repository, 'node_modules', '.bin', 'tsc')
    await execute(tsc, ['-p', folder]).catch(({ stdout }: { stdout: string }) => assert.fail(stdout))
  },
)

const uses = `
import type { GlobalComponents } from 'vue'

export const game = <wheelhouse-game link="https://wheel.example/" mode="dialog" close-label="Close" className="x" />
// @ts-expect-error
export const wrong = <wheelhouse-game mode="sideways" />

const found = document.querySelector('wheelhouse-game')
found?.addEventListener('won', ({ detail }) => detail.playId.toUpperCase())
found?.addEventListener('click', () => found.show())
// @ts-expect-error
found?.addEventListener('won', ({ detail }) => detail.prize)

export const inVue: InstanceType<GlobalComponents['wheelhouse-game']>['$props'] = { trigger: 'exit', open: true }
// @ts-expect-error
inVue.mode = 'sideways'
`
