import { CancelRun } from '../../../entities/runs/cancel-run.tsx'
import type { RunDetail } from '../../../data/workflows.ts'

export interface RunActionsProps {
  detail: RunDetail
  now: number
  /** Key of the step that was chosen. */
  selected: string | undefined
}

/** What can be done with a run now. */
export function RunActions({ detail }: RunActionsProps) {
  return <CancelRun workflowId={detail.run.workflowId} run={detail.run} />
}
