import type { CallOutput } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type DatabaseSessions = CallOutput<'databases.sessions'>

/** Sessions change without an event: they are asked for while somebody looks at them. */
const sessionsMs = 1_000

/** Sessions of a database that wait, hold others up or have a transaction open. */
export function useDatabaseSessions(id: string, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'databases.sessions', { params: { id } }),
    enabled: isEnabled,
    refetchInterval: sessionsMs,
  })
}
