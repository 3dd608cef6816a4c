import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './query-client.ts'
import { refetchPage } from './refetch-page.ts'

afterEach(() => queryClient.clear())

test('what broke a page is forgotten, what is on screen is read again and stays meanwhile', async () => {
  let reads = 0
  const shown = new QueryObserver(queryClient, {
    queryKey: ['/api/notifications/unread', 1],
    queryFn: () => Promise.resolve((reads += 1)),
  })
  const stop = shown.subscribe(() => undefined)
  await expect.poll(() => shown.getCurrentResult().data).toBe(1)
  queryClient.setQueryData(['/api/kubernetes/clusters', 1], 'malformed')
  queryClient.setQueryData(['version', 'client'], '0.1.0')

  const refetched = refetchPage()
  expect(shown.getCurrentResult().data).toBe(1)
  await refetched

  expect(queryClient.getQueryData(['/api/kubernetes/clusters', 1])).toBeUndefined()
  expect(shown.getCurrentResult().data).toBe(2)
  expect(queryClient.getQueryData(['version', 'client'])).toBe('0.1.0')
  stop()
})
