import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createServerAnswer } from './server-answer.ts'
import { watchSilence } from './silence-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page and a server that may stop to answer, over the socket and otherwise. */
function given() {
  const server = { answersSocket: true, answersHttp: true, pings: 0, probes: 0 }
  const page = { isVisible: true, heardAt: Date.now() }
  const hang = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error())))
  const answer = createServerAnswer({
    now: Date.now,
    isVisible: () => page.isVisible,
    probe: (signal) => {
      server.probes += 1
      return server.answersHttp ? Promise.resolve() : hang(signal)
    },
    checkLive: () => undefined,
    onChange: () => undefined,
  })
  watchSilence({
    now: Date.now,
    isVisible: () => page.isVisible,
    heardAt: () => page.heardAt,
    ping: async () => {
      server.pings += 1
      if (server.answersSocket) page.heardAt = Date.now()
      else await new Promise((_resolve, reject) => setTimeout(() => reject(new Error()), 5_000))
    },
    onDoubt: answer.doubt,
  })
  return { server, page, answer }
}

test('on a page that nobody touches, a server that hangs is known within ten seconds of its last answer', async () => {
  const { server, page, answer } = given()
  await vi.advanceTimersByTimeAsync(600_000)
  const lastAt = page.heardAt
  server.answersSocket = false
  server.answersHttp = false
  await vi.advanceTimersByTimeAsync(lastAt + 10_000 - Date.now())
  expect(answer.since()).toBe(lastAt)
})

test('a server that answers otherwise is not doubted, and one that answers late is believed again', async () => {
  const { server, answer } = given()
  server.answersSocket = false
  await vi.advanceTimersByTimeAsync(30_000)
  expect(answer.since()).toBeUndefined()
  expect(server.probes).toBeGreaterThan(0)
  server.answersHttp = false
  await vi.advanceTimersByTimeAsync(20_000)
  expect(answer.since()).toBeDefined()
  server.answersHttp = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(answer.since()).toBeUndefined()
})

test('a page in the background asks nothing, and a silent connection is asked once in four seconds', async () => {
  const { server, page } = given()
  page.isVisible = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.pings).toBe(0)
  page.isVisible = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.pings).toBeLessThanOrEqual(16)
  expect(server.probes).toBe(0)
})
