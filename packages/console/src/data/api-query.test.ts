import type { LivePosition } from '@bey/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { onDemand, refetch, refetchBelow } from './api-query.ts'
import { changeHeld } from './change-held.ts'
import { isReadAt, setHeardPosition } from './positions.ts'

const { positions } = vi.hoisted(() => ({ positions: new WeakMap<object, string>() }))
vi.mock('../lib/api.ts', () => ({ api: {}, replyPosition: (reply: object) => positions.get(reply) }))

const queryKey = ['/api/secrets/s1', 3]

function reply(version: number, position: LivePosition): { version: number } {
  const made = { version }
  positions.set(made, position)
  return made
}

/** A first read that is under way when an event at `a.5.0` arrives. */
function underWay() {
  const cache = new QueryClient()
  const answer = Promise.withResolvers<{ version: number }>()
  let asked = 0
  const read = cache.query({
    queryKey,
    queryFn: () => {
      asked += 1
      return answer.promise
    },
  })
  setHeardPosition('a.5.0')
  return {
    cache,
    asked: () => asked,
    async answer(with_: { version: number }) {
      answer.resolve(with_)
      await read
      await Promise.resolve()
    },
    isOld: () => cache.getQueryState(queryKey)?.isInvalidated,
    held: () => cache.getQueryData<{ version: number }>(queryKey),
  }
}

test('what was read for the first time before an event is read again, and only then', async () => {
  const older = underWay()
  refetch(older.cache, { queryKey })
  await older.answer(reply(1, 'a.4.0'))
  expect(older.isOld()).toBe(true)

  const newer = underWay()
  refetch(newer.cache, { queryKey })
  await newer.answer(reply(2, 'a.5.0'))
  expect(newer.isOld()).toBe(false)
  expect(newer.asked()).toBe(1)
})

test('a reply of another process, whose events are counted otherwise, is read again', async () => {
  const other = underWay()
  refetch(other.cache, { queryKey })
  await other.answer(reply(1, 'b.9.0'))
  expect(other.isOld()).toBe(true)
})

test('a row that an event carries is written into a reply that is older than it, and into no newer one', async () => {
  const older = underWay()
  changeHeld<{ version: number }>(older.cache, queryKey, () => ({ version: 2 }))
  await older.answer(reply(1, 'a.4.0'))
  expect(older.held()).toEqual({ version: 2 })

  const newer = underWay()
  changeHeld<{ version: number }>(newer.cache, queryKey, () => ({ version: 2 }))
  await newer.answer(reply(3, 'a.6.0'))
  expect(newer.held()).toEqual({ version: 3 })
})

test('what was read after an event is not changed by it', () => {
  const cache = new QueryClient()
  cache.setQueryData(queryKey, reply(3, 'a.6.0'))
  setHeardPosition('a.5.0')
  changeHeld<{ version: number }>(cache, queryKey, () => ({ version: 2 }))
  expect(cache.getQueryData(queryKey)).toEqual({ version: 3 })
  setHeardPosition('a.7.0')
  changeHeld<{ version: number }>(cache, queryKey, () => ({ version: 4 }))
  expect(cache.getQueryData(queryKey)).toEqual({ version: 4 })
})

test('pages are as old as the oldest of them, and objects of clusters have a count of their own', () => {
  const cache = new QueryClient()
  const isRead = (key: readonly unknown[], data: object) => {
    cache.setQueryData(key, data)
    const query = cache.getQueryCache().find({ queryKey: key, exact: true })
    return query && isReadAt(query, 'a.5.7')
  }
  const pages = (...of: object[]) => ({ pages: of, pageParams: [] })
  expect(isRead(['/api/notifications', 3], pages(reply(1, 'a.5.0'), reply(2, 'a.6.0')))).toBe(true)
  expect(isRead(['/api/notifications', 4], pages(reply(1, 'a.4.0'), reply(2, 'a.6.0')))).toBe(false)
  expect(isRead(['/api/kubernetes/clusters/4', 3], reply(1, 'a.5.0'))).toBe(true)
  expect(isRead(['/api/kubernetes/clusters/4/pods', 3], reply(1, 'a.5.6'))).toBe(false)
  expect(isRead(['/api/kubernetes/clusters/5/pods', 3], reply(1, 'a.5.7'))).toBe(true)
})

test('what is read on demand is left by an event; everything else below the path is old', () => {
  const cache = new QueryClient()
  const dear = ['/api/databases/d1/swap/left-rows', 3]
  const other = ['/api/databases/d1/backups', 3]
  cache.getQueryCache().build(cache, { queryKey: dear, meta: onDemand })
  for (const key of [dear, other]) cache.setQueryData(key, {})
  refetchBelow(cache, 3, '/api/databases/d1')
  expect([dear, other].map((key) => cache.getQueryState(key)?.isInvalidated)).toEqual([false, true])
})
