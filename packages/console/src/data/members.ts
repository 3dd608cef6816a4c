import type { CallInput } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type MemberListQuery = NonNullable<CallInput<'members.list'>['query']>

export function useMembers(query: MemberListQuery) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'members.list', { query }),
    placeholderData: keepPreviousData,
  })
}
