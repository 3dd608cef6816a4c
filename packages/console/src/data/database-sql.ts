import type { CallInput, CallOutput } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath } from './api-query.ts'
import { useOrganizationId } from './session.ts'

type Body = CallInput<'databases.estimate'>['body']
export type SqlEstimate = CallOutput<'databases.estimate'>

/** What a statement would read and change; undefined is no statement. Values of parameters leave the memory with the page. */
export function useSqlEstimate(id: string, body: Body | undefined) {
  const params = { id }
  return useQuery<SqlEstimate>({
    queryKey: [apiPath('databases.estimate', params), useOrganizationId(), body],
    queryFn: ({ signal }) =>
      api.call('databases.estimate', { params, body: body ?? { statement: '' } }, { signal }),
    enabled: body !== undefined,
    retry: false,
    gcTime: 0,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
}
