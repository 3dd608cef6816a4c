import type { QueryKey } from '@tanstack/react-query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallOutput } from '@bey/contract'
import { apiKey, apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type StepDetail = CallOutput<'workflows.step'>

/** One step of a run with input, output and attempts; nothing is asked without a key. The step before stays meanwhile. */
export function useStep(id: string, runId: string, stepKey: string | undefined) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'workflows.step', { params: { id, runId, stepKey: stepKey ?? '' } }),
    enabled: stepKey !== undefined,
    placeholderData: keepPreviousData,
  })
}

export function stepDetailKey(organizationId: number, id: string, runId: string, stepKey: string): QueryKey {
  return apiKey(organizationId, 'workflows.step', { params: { id, runId, stepKey } })
}
