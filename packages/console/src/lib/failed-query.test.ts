import { expect, test, vi } from 'vitest'
import { failureOf } from './failed-query.ts'

const query = { data: undefined, error: undefined, isFetching: false, refetch: () => Promise.resolve() }

test('a query that has not failed has no failure, nor one that still has something to show', () => {
  const error = new Error('The connection was lost.')
  expect(failureOf('Failed to fetch clusters', query)).toBeUndefined()
  expect(failureOf('Failed to fetch clusters', { ...query, data: [], error })).toBeUndefined()
})

test('a failed query says what failed and why, and Retry asks it again', () => {
  const refetch = vi.fn(query.refetch)
  const error = new Error('The connection was lost.')
  const failure = failureOf('Failed to fetch clusters', { ...query, error, isFetching: true, refetch })
  expect(failure).toMatchObject({
    title: 'Failed to fetch clusters',
    detail: 'The connection was lost.',
    isRetrying: true,
  })
  failure?.onRetry()
  expect(refetch).toHaveBeenCalledOnce()
})
