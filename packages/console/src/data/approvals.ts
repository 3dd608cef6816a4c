import type { CallInput } from '@bey/contract'

export type ApprovalListQuery = NonNullable<CallInput<'workflows.approvals'>['query']>
