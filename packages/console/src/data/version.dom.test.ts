import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { createElement } from 'react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { completeVersion, isMismatch, useVersions } from './version.ts'

test('different deployments are a mismatch', () => {
  expect(isMismatch({ deploymentId: 'a' }, { deploymentId: 'b' })).toBe(true)
  expect(isMismatch({ deploymentId: 'a' }, { deploymentId: 'a' })).toBe(false)
})

test('what is not known is no mismatch', () => {
  expect(isMismatch(undefined, { deploymentId: 'b' })).toBe(false)
  expect(isMismatch({ deploymentId: 'a' }, undefined)).toBe(false)
  expect(isMismatch({ deploymentId: 'development' }, { deploymentId: 'b' })).toBe(false)
})

test('a version file that lacks fields, or is none, is completed instead of breaking the page', () => {
  expect(completeVersion({ version: '1.2.3', gitCommit: 7 })).toMatchObject({
    version: '1.2.3',
    gitCommit: '',
  })
  for (const nonsense of [null, 'text', 7, []]) expect(completeVersion(nonsense).version).toBe('0.0.0-dev')
})

test('a version.json or server status that cannot be read costs a warning in the console and nothing else', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: new QueryClient() }, children)
  const { result } = renderHook(() => useVersions({ asksServer: true }), { wrapper })
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2), 60_000)
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    'version.json could not be read',
    'The status of the server could not be read',
  ])
  await vi.waitFor(
    () =>
      expect(result.current).toMatchObject({ client: { deploymentId: 'development' }, isMismatch: false }),
    60_000,
  )
  vi.restoreAllMocks()
})
