import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterReads } from './after-reads.ts'

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<main><h1>Clusters</h1></main>'
})
afterEach(() => {
  vi.useRealTimers()
  document.body.innerHTML = ''
})

function givenRead() {
  const cache = new QueryClient()
  const reply = Promise.withResolvers<string>()
  void cache.query({ queryKey: ['first'], queryFn: () => reply.promise })
  const run = vi.fn<() => void>()
  return { cache, reply, run, stop: afterReads(cache, run) }
}

test('what waits for the first reads begins once the last of them is drawn', async () => {
  const { cache, reply, run } = givenRead()
  await vi.advanceTimersByTimeAsync(500)
  expect(run).not.toHaveBeenCalled()
  const second = Promise.withResolvers<string>()
  reply.resolve('rows')
  // Asked for by what the first reply shows.
  void reply.promise.then(() => cache.query({ queryKey: ['second'], queryFn: () => second.promise }))
  await vi.advanceTimersByTimeAsync(500)
  expect(run).not.toHaveBeenCalled()
  second.resolve('more')
  await vi.advanceTimersByTimeAsync(100)
  expect(run).toHaveBeenCalledOnce()
})

test.each([
  ['a page that is still being loaded', '<main></main>'],
  ['a part that is still a skeleton', '<main><h1>Clusters</h1><span data-skeleton></span></main>'],
])('waits for %s', async (_, html) => {
  document.body.innerHTML = html
  const { reply, run } = givenRead()
  reply.resolve('rows')
  await vi.advanceTimersByTimeAsync(500)
  expect(run).not.toHaveBeenCalled()
  document.body.innerHTML = '<main><h1>Clusters</h1></main>'
  await vi.advanceTimersByTimeAsync(100)
  expect(run).toHaveBeenCalledOnce()
})

test('a read that does not end keeps nothing waiting for longer than two seconds', async () => {
  const { run } = givenRead()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(run).toHaveBeenCalledOnce()
})

test('who has stopped is not called', async () => {
  const { reply, run, stop } = givenRead()
  stop()
  reply.resolve('rows')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(run).not.toHaveBeenCalled()
})
