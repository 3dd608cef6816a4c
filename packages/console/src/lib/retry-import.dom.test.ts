import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryImport } from './retry-import.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const missing = () => {
  throw new TypeError('Failed to fetch dynamically imported module: http://localhost/a.js')
}

test('a script is asked for until it comes, after 1, 2 and 4 seconds', async () => {
  const load = vi
    .fn(async () => 'here')
    .mockImplementationOnce(missing)
    .mockImplementationOnce(missing)
  load.mockImplementationOnce(missing)
  const loaded = retryImport(load)
  for (const [afterMs, calls] of [
    [0, 1],
    [999, 1],
    [1, 2],
    [2_000, 3],
    [3_999, 3],
    [1, 4],
  ] as const) {
    await vi.advanceTimersByTimeAsync(afterMs)
    expect(load).toHaveBeenCalledTimes(calls)
  }
  await expect(loaded).resolves.toBe('here')
})

test('when the network is back it is asked for at once', async () => {
  const load = vi.fn(async () => 'here').mockImplementationOnce(missing)
  const loaded = retryImport(load)
  await vi.advanceTimersByTimeAsync(10)
  window.dispatchEvent(new Event('online'))
  await expect(loaded).resolves.toBe('here')
})

test('what a script throws of its own is thrown at once', async () => {
  const load = vi.fn(async () => {
    throw new TypeError('x is not a function')
  })
  await expect(retryImport(load)).rejects.toThrow('x is not a function')
  expect(load).toHaveBeenCalledOnce()
})
