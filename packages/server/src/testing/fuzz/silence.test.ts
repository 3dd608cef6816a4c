import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { within } from './silence.ts'

const silence = fileURLToPath(new URL('silence.ts', import.meta.url))

test('work that never ends is named, and the fuzz does not wait for it', async () => {
  const never = new Promise<void>(() => undefined)
  await expect(within('GET /api/webhooks', 20, never)).rejects.toThrow(
    'GET /api/webhooks did not end within 20 ms',
  )
  await expect(within('GET /api/webhooks', 60_000, Promise.resolve(7))).resolves.toBe(7)
})

test('a main thread in an endless loop is ended, and the input and the call that did not end are named', async () => {
  const code = `
    import { watchForStandstill } from ${JSON.stringify(silence)}
    watchForStandstill(1000, () => 'GET /api/webhooks?limit=(((')
    function spinsForEver() { for (;;); }
    // The text has been kept once by then.
    setTimeout(spinsForEver, 600)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const over = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  const said = await text(child.stderr)
  expect(await over).toBe('SIGKILL')
  expect(said).toContain('GET /api/webhooks?limit=(((')
  expect(said).toContain('spinsForEver')
})
