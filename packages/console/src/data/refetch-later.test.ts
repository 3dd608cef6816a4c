import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { refetchAtMost } from './refetch-later.ts'

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
