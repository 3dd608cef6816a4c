import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { apiKey } from './api-query.ts'
import { queryClient } from './query-client.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

function given() {
  let asked = 0
  const read = (organizationId: number) =>
    queryClient.query({
      queryKey: apiKey(organizationId, 'clusters.list', { query: {} }),
      queryFn: () => Promise.resolve((asked += 1)),
    })
  return { read, asked: () => asked }
}

test('what was read less than 30 s ago is not asked again, by path and organization', async () => {
  const { read, asked } = given()
  await read(1)
  await vi.advanceTimersByTimeAsync(29_999)
  await read(1)
  expect(asked()).toBe(1)
  await read(2)
  expect(asked()).toBe(2)
  await vi.advanceTimersByTimeAsync(1)
  await read(1)
  expect(asked()).toBe(3)
})

test('what is on no screen is forgotten after 5 minutes', async () => {
  const { read } = given()
  await read(1)
  const known = () => queryClient.getQueryData(apiKey(1, 'clusters.list', { query: {} }))
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
  expect(known()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(known()).toBeUndefined()
})

test('an invalidated list is asked again whatever its age', async () => {
  const { read, asked } = given()
  await read(1)
  await queryClient.invalidateQueries()
  await read(1)
  expect(asked()).toBe(2)
})
