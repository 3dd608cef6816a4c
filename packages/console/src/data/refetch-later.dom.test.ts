import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { refetchAtMost, refetchSoon } from './refetch-later.ts'

afterEach(() => vi.useRealTimers())

test('however often it is asked, one thing is read at once and then once in each span', () => {
  vi.useFakeTimers()
  const cache = new QueryClient()
  const read = vi.spyOn(cache, 'invalidateQueries').mockResolvedValue()
  for (let count = 0; count < 50; count += 1) refetchAtMost(cache, ['/run', 1], 1_000)
  refetchAtMost(cache, ['/other', 1], 1_000)
  expect(read).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1_000)
  expect(read.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([
    ['/run', 1],
    ['/other', 1],
    ['/run', 1],
  ])
  vi.advanceTimersByTime(10_000)
  expect(read).toHaveBeenCalledTimes(3)
})

test('many events of one change read what is on screen once, between 1 and 2 s later', async () => {
  vi.useFakeTimers()
  const cache = new QueryClient()
  let asked = 0
  const observer = new QueryObserver(cache, {
    queryKey: ['/dashboard', 1],
    queryFn: () => Promise.resolve((asked += 1)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  for (let count = 0; count < 20; count += 1) refetchSoon(cache, ['/dashboard', 1])
  await vi.advanceTimersByTimeAsync(999)
  expect([asked, cache.getQueryState(['/dashboard', 1])?.isInvalidated]).toEqual([1, true])
  await vi.advanceTimersByTimeAsync(1_001)
  expect(asked).toBe(2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toBe(2)
  stop()
})

test('what was read meanwhile is not read again', async () => {
  vi.useFakeTimers()
  const cache = new QueryClient()
  let asked = 0
  const read = { queryKey: ['/list', 1], queryFn: () => Promise.resolve((asked += 1)) }
  await cache.query(read)
  refetchSoon(cache, ['/list', 1])
  await cache.query(read)
  const observer = new QueryObserver(cache, { ...read, staleTime: Number.POSITIVE_INFINITY })
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toBe(2)
  stop()
})
