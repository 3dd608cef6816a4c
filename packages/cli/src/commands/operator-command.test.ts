import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { pipedTerminal } from '../testing/piped-terminal.ts'

const home = mkdtempSync(join(tmpdir(), 'bey-home-'))
afterAll(() => rmSync(home, { recursive: true }))
const program = join(home, 'packages/server/src/operator/main.ts')
mkdirSync(join(program, '..'), { recursive: true })
writeFileSync(
  program,
  `const stat = require('node:fs').readFileSync('/proc/self/stat', 'utf8')
   const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]
   console.log(JSON.stringify({ args: process.argv.slice(2), leads: session === String(process.pid) })); process.exit(1)`,
)

async function bey(env: Record<string, string>, ...args: string[]) {
  const { terminal, written } = pipedTerminal('')
  const code = await run(args, {
    env: { HOME: home, PATH: process.env['PATH'] ?? '', ...env },
    terminal,
    signal: new AbortController().signal,
  })
  return { code, ...written }
}

test('a command of the operator is run by the program of the server, with its exit code and its JSON', async () => {
  const args = ['restore', '/backups', '--into', '/data', '--json']
  const { code, out } = await bey({ BEY_HOME: home }, ...args)
  // In a session of its own, by which it gives way to the server.
  expect([code, JSON.parse(out)]).toEqual([1, { args, leads: true }])
  const filtered = await bey({ BEY_HOME: home }, 'backup', '--to', '/b', '--jq', '.args[2]')
  expect(filtered.out).toBe('/b\n')
})

test('the word behind root-key is its first argument', async () => {
  const { code, out } = await bey({ BEY_HOME: home }, 'root-key', 'unwrap', '--to', '/copy.key', '--json')
  expect([code, JSON.parse(out)]).toEqual([
    1,
    expect.objectContaining({ args: ['root-key', 'unwrap', '--to', '/copy.key', '--json'] }),
  ])
})

test('where the program of the server is not, it says where to run', async () => {
  const { code, notes } = await bey({ BEY_HOME: join(home, 'none') }, 'backup')
  expect([code, notes]).toEqual([2, expect.stringContaining('Run it on that machine, and set BEY_HOME')])
})
