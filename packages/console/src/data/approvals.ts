import type { CallInput } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type ApprovalListQuery = NonNullable<CallInput<'workflows.approvals'>['query']>

/** Approvals of the organization; pending ones unless asked otherwise. */
export function useApprovals(query: ApprovalListQuery) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'workflows.approvals', { query }),
    placeholderData: keepPreviousData,
  })
}

export function useApproval(approvalId: string) {
  return useQuery(apiQuery(useOrganizationId(), 'workflows.approval', { params: { approvalId } }))
}
