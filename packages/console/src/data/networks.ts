import type { CallInput, CallOutput } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { refetchSoon } from './refetch-later.ts'
import { useOrganizationId } from './session.ts'

export type Network = CallOutput<'networks.get'>
export type NetworkListQuery = NonNullable<CallInput<'networks.list'>['query']>
export type NetworkSpace = CallOutput<'networks.space'>
export type NetworkDraft = CallInput<'networks.plan'>['body']
/** Of a network, or of one of its security groups, which change no database. */
export type NetworkPlan = CallOutput<'securityGroups.plan'> & Partial<CallOutput<'networks.plan'>>
export type GroupPlanDraft = CallInput<'securityGroups.plan'>['body']
export type SecurityGroup = CallOutput<'securityGroups.get'>

export const networkReducers: Pick<LiveReducers, 'NETWORKS_UPDATE'> = {
  NETWORKS_UPDATE: (cache, { organizationId }) => {
    refetchBelow(cache, organizationId, apiPath('networks.list'))
    refetchSoon(cache, apiKey(organizationId, 'analytics.dashboard'))
  },
}

/** What a draft of a network would do in the clusters, by the server; nothing is asked for `undefined`. */
export function useNetworkPlan(body: NetworkDraft | undefined) {
  return usePlan(body, apiPath('networks.plan'), (given, signal) =>
    api.call('networks.plan', { body: given }, { signal }),
  )
}

/** The same of a security group of a network. */
export function useGroupPlan(networkId: string, body: GroupPlanDraft | undefined) {
  const params = { id: networkId }
  return usePlan(body, apiPath('securityGroups.plan', params), (given, signal) =>
    api.call('securityGroups.plan', { params, body: given }, { signal }),
  )
}

function usePlan<T>(
  body: T | undefined,
  path: string,
  ask: (body: T, signal: AbortSignal) => Promise<NetworkPlan>,
) {
  const organizationId = useOrganizationId()
  return useQuery({
    queryKey: [path, organizationId, body],
    queryFn: ({ signal }): Promise<NetworkPlan> => {
      if (body === undefined) throw new Error('Nothing is asked without a draft')
      return ask(body, signal)
    },
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
