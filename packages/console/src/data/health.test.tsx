import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// The client takes the page's fetch when it is imported.
const server = vi.hoisted(() => {
  const state = { asked: 0, isUp: true, paths: [] as string[] }
  globalThis.fetch = async (input) => {
    state.asked += 1
    state.paths.push(new URL(input instanceof Request ? input.url : input, 'http://localhost').pathname)
    if (!state.isUp) throw new TypeError('Failed to fetch')
    return Response.json({ status: 'ok', database: 'up' })
  }
  return state
})
const { useBackendConnection } = await import('./health.ts')

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('the server is asked every 10 s with 5 s to answer, and is checking, connected or disconnected', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(useBackendConnection, { wrapper })
  expect(result.current).toBe('checking')
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(result.current).toBe('connected')
  expect(timeout).toHaveBeenCalledWith(5_000)
  expect(server.paths).toEqual(['/health'])
  server.isUp = false
  await act(() => vi.advanceTimersByTimeAsync(9_800))
  expect(server.asked).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(300))
  expect(server.asked).toBe(2)
  expect(result.current).toBe('disconnected')
})
