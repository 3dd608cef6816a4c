import type { CallInput, CallOutput } from '@bey/contract'
import type { QueryClient } from '@tanstack/react-query'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type StepTest = CallOutput<'workflows.testStep'>
export type NewWorkflow = CallInput<'workflows.create'>['body']
export type NewVersion = CallInput<'workflows.update'>['body']

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

export function useWorkflowVersions(id: string, page: number) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'workflows.versions', { params: { id }, query: { page } }),
    placeholderData: keepPreviousData,
  })
}

export function useCreateWorkflow() {
  const refetch = useRefetchWorkflows()
  return useMutation({
    mutationFn: (body: NewWorkflow) => api.call('workflows.create', { body }),
    onSuccess: refetch,
  })
}

/** Saves a version; refused with a conflict where somebody else saved one meanwhile. */
export function useSaveWorkflow(id: string) {
  const refetch = useRefetchWorkflows()
  return useMutation({
    mutationFn: (body: NewVersion) => api.call('workflows.update', { params: { id }, body }),
    onSuccess: refetch,
  })
}

export function useDeleteWorkflow() {
  const refetch = useRefetchWorkflows()
  return useMutation({
    mutationFn: ({ id, isPermanent }: { id: string; isPermanent: boolean }) =>
      api.call('workflows.delete', {
        params: { id },
        ...(isPermanent ? { query: { permanent: 'true' } } : {}),
      }),
    onSuccess: refetch,
  })
}

/** Undoes a deletion. */
export function useRestoreWorkflow() {
  const refetch = useRefetchWorkflows()
  return useMutation({
    mutationFn: (id: string) => api.call('workflows.restore', { params: { id } }),
    onSuccess: refetch,
  })
}

/** Activates, pauses or archives a workflow. */
export function useSetWorkflowState() {
  const refetch = useRefetchWorkflows()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & CallInput<'workflows.setState'>['body']) =>
      api.call('workflows.setState', { params: { id }, body }),
    onSuccess: refetch,
  })
}

/** Starts a run. */
export function useExecuteWorkflow() {
  const refetch = useRefetchWorkflows()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & CallInput<'workflows.execute'>['body']) =>
      api.call('workflows.execute', { params: { id }, body }),
    onSuccess: refetch,
  })
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

export function useTestStep() {
  return useMutation({
    mutationFn: (body: CallInput<'workflows.testStep'>['body']) => api.call('workflows.testStep', { body }),
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

/** Success, durations and failing steps of a workflow over some days. */
export function useWorkflowStatistics(id: string, days: number) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'workflows.statistics', { params: { id }, query: { days } }),
    placeholderData: keepPreviousData,
  })
}

function useRefetchWorkflows(): () => void {
  const cache: QueryClient = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, apiPath('workflows.list'))
}
