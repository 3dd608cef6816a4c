import type { CallInput, Role } from '@bey/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { session, useOrganizationId } from './session.ts'

export type MemberListQuery = NonNullable<CallInput<'members.list'>['query']>

export function useMembers(query: MemberListQuery) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'members.list', { query }),
    placeholderData: keepPreviousData,
  })
}

export function useSetRole() {
  const refetch = useRefetchMembers()
  return useMutation({
    mutationFn: ({ id, role }: { id: number; role: Role }) =>
      api.call('members.setRole', { params: { id }, body: { role } }),
    onSettled: refetch,
  })
}

/** What a member has that somebody must decide about before they are removed. */
export function useBelongings(id: number) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'members.belongings', { params: { id } }),
    // A decision is made about what there is now.
    staleTime: 0,
  })
}

export function useRemoveMember() {
  const refetch = useRefetchMembers()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: number } & CallInput<'members.remove'>['body']) =>
      api.call('members.remove', { params: { id }, body }),
    onSuccess: refetch,
  })
}

/** Makes another member the owner; the user is an admin afterwards. */
export function useTransferOwnership() {
  const refetch = useRefetchMembers()
  return useMutation({
    mutationFn: (userId: number) => api.call('organization.transfer', { body: { userId } }),
    onSuccess: async () => {
      refetch()
      await session.refresh()
    },
  })
}

function useRefetchMembers() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, apiPath('members.list'))
}

export const memberReducers: Pick<LiveReducers, 'MEMBERS_UPDATE' | 'ORGANIZATION_UPDATE'> = {
  MEMBERS_UPDATE: (cache, { organizationId, data }) => {
    for (const name of ['members.list', 'invitations.list', 'organization.get'] as const)
      refetchBelow(cache, organizationId, apiPath(name))
    const state = session.get()
    // One's own role decides what the console offers.
    if ('user' in state && state.user.id === data.userId) void session.refresh()
  },
  ORGANIZATION_UPDATE: (cache, { organizationId }) => {
    refetchBelow(cache, organizationId, apiPath('organization.get'))
    void session.refresh()
  },
}
