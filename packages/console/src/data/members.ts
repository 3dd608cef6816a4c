import type { CallInput } from '@bey/contract'
import { apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { session } from './session.ts'

export type MemberListQuery = NonNullable<CallInput<'members.list'>['query']>

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
