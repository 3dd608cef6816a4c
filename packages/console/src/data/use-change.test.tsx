import { ApiError } from '@bey/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../lib/api.ts'
import { useChange } from './use-change.ts'

vi.mock('./session.ts', () => ({ useOrganizationId: () => 7 }))
afterEach(() => vi.restoreAllMocks())

function given(cache: QueryClient) {
  return {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    ),
  }
}

test('what was just made stands where it is read by its id, and its list is old', async () => {
  const cache = new QueryClient()
  const made = { id: 'a1', name: 'db-password' }
  vi.spyOn(api, 'call').mockResolvedValue(made as never)
  cache.setQueryData(['/api/secrets', 7], { secrets: [] })
  const { result } = renderHook(() => useChange('secrets.create'), given(cache))
  await act(() => result.current.mutateAsync({ body: { name: 'db-password', value: 'x' } }))
  expect(cache.getQueryData(['/api/secrets/a1', 7])).toEqual(made)
  expect(cache.getQueryState(['/api/secrets', 7])?.isInvalidated).toBe(true)
})

test('after a failure what may have changed is old too, and nothing takes the place of a read', async () => {
  const cache = new QueryClient()
  vi.spyOn(api, 'call').mockRejectedValue(
    new ApiError({ kind: 'network', status: 0, statusText: 'No answer' }),
  )
  cache.setQueryData(['/api/secrets/a1', 7], { id: 'a1' })
  const { result } = renderHook(() => useChange('secrets.rotate'), given(cache))
  const input = { params: { id: 'a1' }, body: { reason: 'leaked' } }
  await act(() => result.current.mutateAsync(input).catch(() => undefined))
  expect(cache.getQueryData(['/api/secrets/a1', 7])).toEqual({ id: 'a1' })
  expect(cache.getQueryState(['/api/secrets/a1', 7])?.isInvalidated).toBe(true)
})

test('what is the user’s own is old whichever organization they are in', async () => {
  const cache = new QueryClient()
  vi.spyOn(api, 'call').mockResolvedValue(null as never)
  cache.setQueryData(['/api/auth/sessions', undefined, { page: 1 }], { sessions: [] })
  cache.setQueryData(['/api/auth/sessions', 7], { sessions: [] })
  const { result } = renderHook(() => useChange('account.endSession'), given(cache))
  await act(() => result.current.mutateAsync({ params: { id: 's1' } }))
  expect(cache.getQueryState(['/api/auth/sessions', undefined, { page: 1 }])?.isInvalidated).toBe(true)
  expect(cache.getQueryState(['/api/auth/sessions', 7])?.isInvalidated).toBe(false)
})
