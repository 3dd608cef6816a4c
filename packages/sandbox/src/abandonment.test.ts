import { once } from 'node:events'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryDirectory, testSandbox } from './testing/test-sandbox.ts'

const minuteMs = 60_000
const endings: (() => unknown)[] = []

afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

test('a sandbox that no server asks for says so after its time, and each question starts it anew', async () => {
  const reasons: string[] = []
  const sandbox = await testSandbox({
    nodes: [],
    claimWithinMs: 10 * minuteMs,
    onAbandoned: (reason) => reasons.push(reason),
  })
  endings.push(() => sandbox.remove())
  sandbox.clock.advance(9 * minuteMs)
  await sandbox.call('GET', '/sandbox/v1/status')
  sandbox.clock.advance(9 * minuteMs)
  // What people do with it is no claim: a server that died leaves their tools running.
  await sandbox.call('GET', '/api/v1/nodes')
  expect(reasons).toEqual([])
  sandbox.clock.advance(minuteMs)
  expect(reasons).toEqual(['No server has asked for it for 10 minutes.'])
  sandbox.clock.advance(20 * minuteMs)
  expect(reasons).toHaveLength(1)
})

test('the process of a sandbox whose directory was deleted ends and says why', async () => {
  const dir = join(temporaryDirectory(), 'cluster')
  const main = fileURLToPath(new URL('./main.js', import.meta.url))
  const child = spawn(process.execPath, [main, '--dir', dir, '--nodes', '[]', '--claim-minutes', '10'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endings.push(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))
  await once(createInterface({ input: child.stdout }), 'line')
  // At once, as a person would: nothing is left for it to write to.
  renameSync(dir, `${dir}-deleted`)
  rmSync(`${dir}-deleted`, { recursive: true })
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
  expect(said).toContain('Its directory is gone.')
  expect(existsSync(dir)).toBe(false)
})
