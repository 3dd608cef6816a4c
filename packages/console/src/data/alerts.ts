import type { CallInput, CallOutput } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { refetchSoon } from './refetch-later.ts'
import { useOrganizationId } from './session.ts'

export type Alert = CallOutput<'alerts.list'>['alerts'][number]
export type AlertDetail = CallOutput<'alerts.get'>
export type AlertListQuery = NonNullable<CallInput<'alerts.list'>['query']>
export type AlertReplay = CallOutput<'alerts.replay'>
export type AlertHistory = CallOutput<'alerts.history'>
export type AlertRule = CallInput<'alerts.create'>['body']
export type ReplayDraft = CallInput<'alerts.replay'>['body']

/** Values move without an event; this often they are evaluated. */
export const alertRefreshMs = 30_000

export const alertReducers: Pick<LiveReducers, 'ALERTS_UPDATE'> = {
  ALERTS_UPDATE: (cache, { organizationId }) => {
    refetchBelow(cache, organizationId, apiPath('alerts.list'))
    refetchSoon(cache, apiKey(organizationId, 'analytics.dashboard'))
  },
}

/** When a draft would have fired, by the server; nothing is asked for `undefined`. */
export function useAlertReplay(body: ReplayDraft | undefined) {
  const organizationId = useOrganizationId()
  return useQuery({
    queryKey: [apiPath('alerts.replay'), organizationId, body],
    queryFn: ({ signal }): Promise<AlertReplay> => {
      if (body === undefined) throw new Error('Nothing is replayed without a draft')
      return api.call('alerts.replay', { body }, { signal })
    },
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
