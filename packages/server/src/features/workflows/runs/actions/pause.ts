import type { Run } from '@bey/contract'

import type { Member } from '../../../../platform/act.ts'
import { AppError } from '../../../../platform/errors.ts'
import { recordRunChange } from '../../engine/record-run-change.ts'
import { moveThrough, unchanged } from '../../engine/run-change.ts'
import { changeListeners, type WorkflowParts } from '../../parts.ts'
import { actOnRun, nothingElse } from './act-on-run.ts'

type RunIds = { workflowId: string; runId: string }

/** Lets a run begin no further step; what is under way ends. Asked twice, answers the same. */
export function pause(parts: WorkflowParts, who: Member, ids: RunIds): Promise<{ run: Run }> {
  return actOnRun(
    parts,
    who,
    ids,
    'workflow_run.pause',
    async (db, run, progressPercent) => {
      if (run.status === 'paused') return undefined
      if (run.status !== 'running' && run.status !== 'waiting') {
        throw new AppError('conflict', `A run that is ${run.status.replace('_', ' ')} cannot be paused.`)
      }
      const change = { ...unchanged(run), status: moveThrough(run.status, 'paused') }
      await recordRunChange(db, changeListeners(parts, run), run, change, progressPercent)
      return { status: { before: run.status, after: 'paused' } }
    },
    nothingElse,
  )
}

/** Lets a paused run go on. */
export function resume(parts: WorkflowParts, who: Member, ids: RunIds): Promise<{ run: Run }> {
  return actOnRun(
    parts,
    who,
    ids,
    'workflow_run.resume',
    async (db, run, progressPercent) => {
      if (run.status === 'running' || run.status === 'waiting') return undefined
      if (run.status !== 'paused') {
        throw new AppError('conflict', `The run is ${run.status.replace('_', ' ')}, not paused.`)
      }
      const change = { ...unchanged(run), status: moveThrough(run.status, 'running') }
      await recordRunChange(db, changeListeners(parts, run), run, change, progressPercent)
      await parts.engine.wakeRun(db, run.id)
      return { status: { before: run.status, after: 'running' } }
    },
    nothingElse,
  )
}
