import type { Run } from '@bey/contract'

import type { Member } from '../../../../platform/act.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { Json } from '../../definition/definition.ts'
import { recordRunChange } from '../../engine/record-run-change.ts'
import { lineOf, moveThrough, type RunChange, unchanged } from '../../engine/run-change.ts'
import { moveStep } from '../../moves.ts'
import { changeListeners, missing, type WorkflowParts } from '../../parts.ts'
import { readOpenSteps, readStepsByKey } from '../store.ts'
import { actOnRun, nothingElse } from './act-on-run.ts'

type Settle = {
  workflowId: string
  runId: string
  stepKey: string
  decision: 'happened' | 'repeat' | 'fail'
  output?: Json | undefined
  reason: string
}

/** Records what a person knows of a step whose process died while it was under way; the run goes on with it. */
export function settleStep(parts: WorkflowParts, who: Member, settle: Settle): Promise<{ run: Run }> {
  const { decision, reason, stepKey } = settle
  return actOnRun(
    parts,
    who,
    settle,
    'workflow_run.settle_step',
    async (db, run, progressPercent) => {
      const [step] = await readStepsByKey(db, run.id, [stepKey])
      if (step === undefined) return missing('workflow run')
      if (step.status !== 'uncertain') {
        throw new AppError(
          'conflict',
          `The step "${step.name}" is ${step.status}: there is nothing to decide.`,
        )
      }
      const now = parts.clock.now()
      const to = { happened: 'succeeded', repeat: 'ready', fail: 'failed' } as const
      const status = moveStep('uncertain', to[decision])
      const words = { happened: 'It happened', repeat: 'It is repeated', fail: 'It counts as failed' }[
        decision
      ]
      const said = `${words}, says ${who.user.name}: ${reason}`
      const open = await readOpenSteps(db, run.id)
      const isLast = !open.some((each) => each.status === 'uncertain' && each.key !== stepKey)
      const change: RunChange = {
        ...unchanged(run),
        status: isLast && run.status === 'needs_attention' ? moveThrough(run.status, 'running') : run.status,
        steps: [
          {
            ...step,
            status,
            note: said,
            error: decision === 'fail' ? { message: said } : null,
            ...(decision === 'happened' ? { output: settle.output ?? {}, progressPercent: 100 } : {}),
            ...(decision === 'repeat' ? {} : { finishedAt: now }),
          },
        ],
        lines: [lineOf(step, 'warning', said, now)],
        current: step,
      }
      await recordRunChange(db, changeListeners(parts, run), run, change, progressPercent)
      await parts.engine.wakeRun(db, run.id)
      return { step: stepKey, decision, reason }
    },
    nothingElse,
  )
}
