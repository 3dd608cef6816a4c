import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createServerAnswer } from './server-answer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function given() {
  const server = { answers: true, probes: 0 }
  const checks = { live: 0 }
  const changes: (number | undefined)[] = []
  const answer = createServerAnswer({
    now: Date.now,
    isVisible: () => true,
    probe: (signal) => {
      server.probes += 1
      if (server.answers) return Promise.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error())))
    },
    checkLive: () => void (checks.live += 1),
    onChange: (since) => changes.push(since),
  })
  return { answer, server, checks, changes }
}

test('a live connection that is lost while the server answers otherwise is no missing answer', async () => {
  const { answer, changes } = given()
  answer.setLive(false, Date.now())
  await vi.advanceTimersByTimeAsync(60_000)
  expect([answer.since(), changes]).toEqual([undefined, []])
})

test('a server that hangs is unanswered since the last answer, whichever way that came', async () => {
  const { answer, server } = given()
  const beganAt = Date.now()
  await vi.advanceTimersByTimeAsync(1_000)
  answer.callSent()(true)
  await vi.advanceTimersByTimeAsync(7_000)
  server.answers = false
  answer.setLive(false, beganAt)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(answer.since()).toBe(beganAt + 1_000)
})

test('it is asked until it answers, and then the connection is made at once', async () => {
  const { answer, server, checks, changes } = given()
  const beganAt = Date.now()
  server.answers = false
  answer.setLive(false, beganAt)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(answer.since()).toBe(beganAt)
  expect(server.probes).toBeGreaterThan(10)
  expect(checks.live).toBe(0)
  server.answers = true
  await vi.advanceTimersByTimeAsync(7_500)
  expect([answer.since(), checks.live > 0]).toEqual([undefined, true])
  answer.setLive(true, Date.now())
  const { probes } = server
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.probes).toBe(probes)
  expect(changes).toEqual([beganAt, undefined])
})

test('a call that fails or is slow makes the console look, and one that is given up says nothing', async () => {
  const { answer, checks } = given()
  answer.callSent()(undefined)
  expect(checks.live).toBe(0)
  answer.callSent()(false)
  expect(checks.live).toBe(1)
  const ended = answer.callSent()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(checks.live).toBe(2)
  ended(true)
  expect(answer.since()).toBeUndefined()
})
