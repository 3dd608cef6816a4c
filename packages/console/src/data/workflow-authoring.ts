import type { CallInput, CallOutput } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type StepTest = CallOutput<'workflows.testStep'>

const never = Number.POSITIVE_INFINITY

/** Types of steps with their schemas; they change with the server only. */
export function useStepTypes() {
  return useQuery({ ...apiQuery(useOrganizationId(), 'workflows.stepTypes', {}), staleTime: never })
}

/** Workflows to begin with; they change with the server only. */
export function useWorkflowTemplates(isNeeded = true) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'workflows.templates', {}),
    staleTime: never,
    enabled: isNeeded,
  })
}

/** One version with its definition; `latest` is read anew each time it is asked for. */
export function useWorkflowVersion(id: string | undefined, version: number | 'latest') {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'workflows.version', { params: { id: id ?? '', version } }),
    enabled: id !== undefined,
    ...(version === 'latest' ? {} : { staleTime: never }),
  })
}

/** Reads the current version from the server, whatever is held of it. */
export function readLatestVersion(id: string): Promise<CallOutput<'workflows.version'>> {
  return api.call('workflows.version', { params: { id, version: 'latest' } })
}

/** What the server finds wrong with a definition; nothing is asked while it is undefined. */
export function useValidation(
  definition: Readonly<Record<string, unknown>> | undefined,
  workflowId: string | undefined,
) {
  const body = { definition: { ...definition }, ...(workflowId === undefined ? {} : { workflowId }) }
  return useQuery({
    queryKey: [apiPath('workflows.validate'), useOrganizationId(), body],
    queryFn: ({ signal }) => api.call('workflows.validate', { body }, { signal }),
    enabled: definition !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 30_000,
  })
}

/** Value of an expression over a real run or sample values; nothing is asked while it is undefined. */
export function useEvaluation(body: CallInput<'workflows.evaluate'>['body'] | undefined) {
  return useQuery({
    queryKey: [apiPath('workflows.evaluate'), useOrganizationId(), body],
    queryFn: ({ signal }) =>
      api.call('workflows.evaluate', { body: body ?? { source: '', kind: 'expression' } }, { signal }),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  })
}
