import type { CallInput } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

type RunIds = { id: string; runId: string }
type Body<N extends 'workflows.retry' | 'workflows.settleStep' | 'workflows.bulk' | 'workflows.decide'> =
  CallInput<N>['body']

/** After an act on runs: what is on screen of workflows, runs and approvals is read again. */
function useSettled(): () => void {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, apiPath('workflows.list'))
}

/** Begins no further step of a run until it is resumed. */
export function usePauseRun() {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: (params: RunIds) => api.call('workflows.pause', { params }),
    onSettled,
  })
}

export function useResumeRun() {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: (params: RunIds) => api.call('workflows.resume', { params }),
    onSettled,
  })
}

/** Ends a run that does not stop; the reply names what may be left behind. */
export function useForceCancel() {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: (params: RunIds) => api.call('workflows.forceCancel', { params }),
    onSettled,
  })
}

/** Starts a new run that keeps what is asked of an old one. */
export function useRetryRun() {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: ({ params, body }: { params: RunIds; body: Body<'workflows.retry'> }) =>
      api.call('workflows.retry', { params, body }),
    onSettled,
  })
}

/** Says of an uncertain step whether it happened. */
export function useSettleStep() {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: ({
      params,
      body,
    }: {
      params: RunIds & { stepKey: string }
      body: Body<'workflows.settleStep'>
    }) => api.call('workflows.settleStep', { params, body }),
    onSettled,
  })
}

/** Cancels or retries many runs; that is a run itself. */
export function useBulkRuns() {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: (body: Body<'workflows.bulk'>) => api.call('workflows.bulk', { body }),
    onSettled,
  })
}

/** Approves or rejects. */
/** Reminds those who may still decide an approval. */
export function useRemind(approvalId: string) {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: () => api.call('workflows.remind', { params: { approvalId } }),
    onSettled,
  })
}

export function useDecide(approvalId: string) {
  const onSettled = useSettled()
  return useMutation({
    mutationFn: (body: Body<'workflows.decide'>) =>
      api.call('workflows.decide', { params: { approvalId }, body }),
    onSettled,
  })
}
