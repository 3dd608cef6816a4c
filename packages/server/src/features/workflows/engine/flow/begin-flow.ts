import { unreachable } from '@bey/contract'

import type { Db } from '../../../../platform/db/database.ts'
import { endStep } from '../end-step.ts'
import type { Execution } from '../execution.ts'
import type { StepDecision } from '../decide-step.ts'
import type { Prepared } from '../prepare-step.ts'
import { beginApproval } from './approval.ts'
import { beginSubworkflow } from './subworkflow.ts'
import { beginWait } from './wait.ts'
import { beginWaitEvent } from './wait-event.ts'

type Begin = Extract<StepDecision, { kind: 'begin' }>
export type FlowAct = Prepared & { kind: 'act' }
export type FlowBegun = Extract<StepDecision, { kind: 'wait' | 'event' }>

/** Begins a step that the engine itself carries out. */
export async function beginFlow(
  x: Execution,
  db: Db,
  begin: Begin,
  key: string,
  act: FlowAct,
): Promise<FlowBegun> {
  if (act.type.kind !== 'flow') throw new Error(`"${act.type.type}" is no step of the engine`)
  switch (act.type.flow) {
    case 'wait':
      return beginWait(x, db, begin, key, act)
    case 'wait_event':
      return beginWaitEvent(x, db, begin, act)
    case 'approval':
      return beginApproval(x, db, begin, key, act)
    case 'subworkflow':
      return beginSubworkflow(x, db, begin, key, act)
    case 'stop': {
      const { status, message } = act.config as { status: 'completed' | 'failed'; message?: string }
      const event = await endStep(x, db, begin.run, key, begin.step, {
        result: 'stopped',
        output: { status, message: message ?? '' },
        ...(message ? { note: message } : {}),
        ...(status === 'failed'
          ? { error: { message: message || 'The workflow was stopped as failed.' } }
          : {}),
        end: status,
      })
      return { kind: 'event', event }
    }
    default:
      return unreachable(act.type.flow)
  }
}
