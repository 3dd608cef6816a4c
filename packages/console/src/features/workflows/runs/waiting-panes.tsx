import type { StepRun } from '@bey/contract'
import type { ReactNode } from 'react'
import { useStep } from '../../../data/run-steps.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { ApprovalCard } from '../approvals/approval-card.tsx'

/** A run that waits for people at the shown step: its steps at the left, and at the right, first on a phone, the decision. */
export function WaitingPanes({
  detail: { run },
  step,
  children,
}: {
  detail: RunDetail
  step: StepRun
  children: ReactNode
}) {
  const query = useStep(run.workflowId, run.id, step.key)
  const known = query.data?.step.key === step.key ? query.data : undefined
  const failure = failureOf('Failed to fetch the approval', query)
  return (
    <div className="grid shrink-0 grow lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:divide-x lg:divide-line">
      <div className="flex min-w-0 flex-col">{children}</div>
      <div className="min-w-0 max-lg:order-first max-lg:border-b max-lg:border-line">
        {known?.approval ? (
          <ApprovalCard key={known.approval.id} approval={known.approval} />
        ) : failure ? (
          <ErrorState {...failure} isCompact />
        ) : (
          <DelayedSkeleton>
            <Skeleton className="m-6 h-64" />
          </DelayedSkeleton>
        )}
      </div>
    </div>
  )
}

/** Whether a step waits for people to decide. */
export function isAsking({ type, status }: Pick<StepRun, 'type' | 'status'>): boolean {
  return type === 'approval' && status === 'waiting'
}
