import type { CallInput } from '@bey/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type TriggerBody = CallInput<'workflows.createTrigger'>['body']

/** Adds a trigger, or changes the one with the id. A new webhook's secret is in the reply, once. */
export function useSaveTrigger(workflowId: string) {
  const refetch = useRefetchTriggers()
  return useMutation({
    mutationFn: async ({ triggerId, body }: { triggerId: string | undefined; body: TriggerBody }) =>
      triggerId === undefined
        ? api.call('workflows.createTrigger', { params: { id: workflowId }, body })
        : {
            ...(await api.call('workflows.updateTrigger', { params: { id: workflowId, triggerId }, body })),
            secret: null,
          },
    onSuccess: refetch,
  })
}

/** A schedule in words with its next times; nothing is asked for an empty one. */
export function useSchedulePreview(cron: string, timeZone: string) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'workflows.previewSchedule', { query: { cron, timeZone } }),
    enabled: cron.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}

function useRefetchTriggers(): () => void {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, apiPath('workflows.list'))
}
