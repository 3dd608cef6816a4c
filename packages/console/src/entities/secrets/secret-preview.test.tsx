import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { apiKey } from '../../data/api-query.ts'
import { queryClient } from '../../data/query-client.ts'
import { relativeTime } from '../../ui/time-text.ts'
import { SecretDetails } from './secret-preview.tsx'

vi.mock('../../data/session.ts', () => ({ useOrganizationId: () => 1, useRole: () => 'VIEWER' }))
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** The preview of a secret that the server describes so. */
function show(
  secret: { usedByCount: number; lastUsedAt: Date | null; lastReadAt: Date | null },
  { uses = [], readers = [] }: { uses?: { name: string }[]; readers?: { readCount: number }[] } = {},
) {
  const params = { id: 's' }
  queryClient.setQueryData(apiKey(1, 'secrets.get', { params }), {
    id: 's',
    name: 'db-password',
    type: 'password',
    status: 'active',
    access: 'use',
    description: '',
    usedByCount: secret.usedByCount,
    lastUsedAt: secret.lastUsedAt?.toISOString() ?? null,
    lastReadAt: secret.lastReadAt?.toISOString() ?? null,
  })
  queryClient.setQueryData(apiKey(1, 'secrets.usage', { params }), { uses, readers })
  render(
    <QueryClientProvider client={queryClient}>
      <SecretDetails id="s" />
    </QueryClientProvider>,
  )
  return (label: string) => screen.getByText(label).nextElementSibling?.textContent
}

test('the preview of a secret says what uses it, and when it was used and read last', () => {
  const [used, read] = [ago(5), ago(180)]
  const fact = show(
    { usedByCount: 2, lastUsedAt: used, lastReadAt: read },
    {
      uses: [{ name: 'billing' }, { name: 'nightly backup' }],
      readers: [{ readCount: 3 }, { readCount: 4 }],
    },
  )
  expect(fact('Used by')).toBe('billing, nightly backup')
  expect(fact('Last used')).toBe(relativeTime(used, new Date()))
  expect(fact('Last read')).toBe(relativeTime(read, new Date()))
  expect(fact('Audit logging')).toBe('Every read; 7 reads so far')
})

test('of a secret that nothing uses it says so', () => {
  const fact = show({ usedByCount: 0, lastUsedAt: null, lastReadAt: null })
  expect(fact('Used by')).toBe('nothing known')
  expect(fact('Last used')).toBe('—')
})

test('users that the reader may not see are counted', () => {
  const fact = show({ usedByCount: 3, lastUsedAt: null, lastReadAt: null })
  expect(fact('Used by')).toBe('3 things')
})
