import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pinging } from './ping-frames.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** A stream that pings after a second, and what has come out of it as hexadecimal digits. */
function given() {
  const stream = pinging(1_000)
  let out = ''
  stream.on('data', (chunk: Buffer) => (out += chunk.toString('hex')))
  return {
    async send(hex: string) {
      stream.write(Buffer.from(hex, 'hex'))
      await delay(0)
    },
    async pass(ms: number) {
      vi.advanceTimersByTime(ms)
      await delay(0)
    },
    taken: () => {
      const taken = out
      out = ''
      return taken
    },
  }
}

test('half an hour of silence is a ping every so often, and what is said passes unchanged', async () => {
  const { send, pass, taken } = given()
  await pass(30 * 60_000)
  expect(taken()).toBe('8900'.repeat(1800))
  await send('8203616263')
  expect(taken()).toBe('8203616263')
})

test('no ping falls into a frame, however it is cut', async () => {
  const { send, pass, taken } = given()
  // A binary frame of 300 bytes, whose length takes two bytes of its own.
  const payload = 'ab'.repeat(300)
  for (const piece of ['82', '7e01', '2c', payload.slice(0, 100)]) {
    await send(piece)
    await pass(5_000)
  }
  expect(taken()).toBe(`827e012c${payload.slice(0, 100)}`)
  await send(payload.slice(100))
  await pass(1_000)
  expect(taken()).toBe(`${payload.slice(100)}8900`)
})

test('after a good-bye nothing is sent', async () => {
  const { send, pass, taken } = given()
  await send('880203e8')
  await pass(10_000)
  expect(taken()).toBe('880203e8')
})
