import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { evaluateCondition, type Scope } from '../definition/expressions/evaluate.ts'
import { ExpressionError } from '../definition/expressions/expression-error.ts'
import { refuseSecrets, renderConfig } from '../definition/expressions/render.ts'
import type { TriggerParts } from './ports.ts'
import { type LockedTrigger, updateTrigger } from './store.ts'

export type Fired =
  | { status: 'started'; runId: string }
  /** Its condition was false. */
  | { status: 'ignored'; note: string }
  /** The condition or the input could not be evaluated, or the run was refused. */
  | { status: 'failed'; note: string }

/**
 * Starts a run for what arrived at a trigger, in the caller's transaction. What people can mend is answered and kept
 * with the trigger; anything else is thrown.
 */
export async function fire(
  parts: Pick<TriggerParts, 'startRun' | 'clock'>,
  db: Db,
  trigger: LockedTrigger,
  kind: 'schedule' | 'webhook' | 'event',
  scope: Scope,
): Promise<Fired> {
  const { organizationId, workflowId, settings } = trigger
  const fired = await attempt()
  const lastError = fired.status === 'failed' ? fired.note : null
  await updateTrigger(db, organizationId, trigger.id, {
    lastFiredAt: parts.clock.now(),
    lastError,
    ...(fired.status === 'started' ? { lastRunId: fired.runId } : {}),
  })
  return fired

  async function attempt(): Promise<Fired> {
    try {
      if (settings.when !== undefined && !evaluateCondition(settings.when, scope)) {
        return { status: 'ignored', note: 'The condition of the trigger was false.' }
      }
      const input = await renderConfig(settings.input, scope, refuseSecrets)
      const started = await parts.startRun(db, {
        organizationId,
        workflowId,
        input,
        trigger: kind,
        triggerId: trigger.id,
        triggerName: trigger.name,
        createdBy: trigger.createdBy,
        keyId: trigger.keyId,
      })
      if (started.kind === 'skipped') return { status: 'ignored', note: started.reason }
      return { status: 'started', runId: started.runId }
    } catch (error) {
      if (error instanceof ExpressionError) return { status: 'failed', note: error.message }
      // Refused before anything was written: the transaction is whole.
      if (error instanceof AppError) return { status: 'failed', note: error.message }
      throw error
    }
  }
}
