import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'

import { createAddressGuard } from '../../../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../../../platform/outbound/outbound.ts'
import { createSendRequest } from '../outbound-request.ts'
import type { ActionStepType } from '../step-type.ts'
import { actionContext } from '../testing/action-context.ts'
import { script } from '../types/script.ts'

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ path: request.url, method: request.method }))
}).listen(0, '127.0.0.1')
afterAll(() => server.close())
const port = () => (server.address() as AddressInfo).port

const type = script({ sendRequest: createSendRequest(createOutbound(createAddressGuard({ kind: 'any' }))) })

async function run(code: string, more: object = {}, signal?: AbortSignal) {
  const context = actionContext({ organizationId: 1, createdBy: 1 }, { ...(signal && { signal }) })
  const output = await (type as ActionStepType).execute(context, type.config.parse({ code, ...more }))
  return { result: output?.['result'], lines: context.lines }
}

test('a script computes with its input, logs, and gives back what it returns', async () => {
  const code =
    'console.log("sum of", input.numbers)\nreturn { sum: input.numbers.reduce((a, b) => a + b, 0) }'
  const { result, lines } = await run(code, { input: { numbers: [1, 2, 3] } })
  expect(result).toEqual({ sum: 6 })
  expect(lines).toEqual([{ message: 'sum of [1,2,3]', level: 'info' }])
  expect((await run('const x = await Promise.resolve(2); return x')).result).toBe(2)
  expect((await run('1')).result).toBeNull()
})

test.each([
  ['a script that spins', 'for (;;) {}', { cpu_ms: 100 }, 'computes for longer than 100 ms'],
  [
    'one that spins in a promise',
    'await null; for (;;) {}',
    { cpu_ms: 100 },
    'computes for longer than 100 ms',
  ],
  [
    'one that allocates',
    'const a = []; for (;;) a.push(new Uint8Array(1e6))',
    { memory_mb: 8 },
    'more memory',
  ],
  ['one that calls itself', 'const f = () => f() + 1; return f()', {}, 'calls itself too deeply'],
  ['one that waits for ever', 'await new Promise(() => {})', {}, 'waits for something that never happens'],
  ['one that takes too long', 'for (;;) {}', { timeout_ms: 300 }, 'did not end within 300 ms'],
  ['one that throws', 'const a = 1\nthrow new TypeError("no " + a)', {}, 'TypeError: no 1 (line 2)'],
  ['one that is no JavaScript', 'return (', {}, 'SyntaxError'],
  ['one that reaches for Node', 'return typeof process + typeof require + import.meta', {}, 'SyntaxError'],
  ['one that closes its function', '})(); while (true) {} (() => {', { cpu_ms: 100 }, /computes|SyntaxError/],
])('%s ends with a sentence', async (_name, code, more, message) => {
  await expect(run(code, more)).rejects.toThrow(message)
})

test('nothing of Node is there, and no fetch without hosts', async () => {
  const names = ['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', '__fetch']
  const { result } = await run(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`)
  expect(result).toEqual([])
})

test('fetch reaches the hosts that are named, and no other', async () => {
  const code = `const reply = await fetch('http://127.0.0.1:${port()}/a', { method: 'POST', body: { a: 1 } })
return { ok: reply.ok, body: await reply.json() }`
  const allowed = { allow_network: [`127.0.0.1:${port()}`] }
  expect((await run(code, allowed)).result).toEqual({ ok: true, body: { path: '/a', method: 'POST' } })
  await expect(run(code, { allow_network: ['example.org'] })).rejects.toThrow(
    'not among the hosts of the step',
  )
  await expect(
    run(`await fetch('http://169.254.169.254/')`, { allow_network: ['169.254.169.254'] }),
  ).rejects.toThrow('link-local')
})

test('a cancelled script ends at once', async () => {
  const cancel = new AbortController()
  const running = run('for (;;) {}', { cpu_ms: 60_000 }, cancel.signal)
  cancel.abort(new Error('Cancelled by a person'))
  await expect(running).rejects.toThrow('Cancelled by a person')
})

test('100,000 lines of a script are kept; one more says that the rest is left out', async () => {
  const code = 'for (let line = 1; line <= 100002; line += 1) console.log(line)'
  const { lines } = await run(code, { cpu_ms: 60_000, timeout_ms: 120_000 })
  expect(lines).toHaveLength(100_001)
  expect(lines.slice(-2).map(({ message }) => message)).toEqual([
    '100000',
    'Too many lines: the rest is left out.',
  ])
}, 150_000)
