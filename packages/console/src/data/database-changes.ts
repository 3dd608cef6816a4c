import type { CallInput } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type ChangeBody = NonNullable<CallInput<'databases.changes.create'>['body']>

/** What a change of a database would do, as its server answers now. */
export function useChangePlan(id: string, body: ChangeBody) {
  const organizationId = useOrganizationId()
  const params = { id }
  return useQuery({
    queryKey: [apiPath('databases.changes.plan', params), organizationId, body],
    queryFn: ({ signal }) => api.call('databases.changes.plan', { params, body }, { signal }),
    gcTime: 0,
    retry: false,
  })
}
