import { isRunOver } from '@bey/contract'

import type { Interpreter } from '../../../platform/engine/interpreter.ts'
import { lockRun, readOpenSteps } from '../runs/store.ts'
import { recordRunChange } from './record-run-change.ts'
import { takeRun } from './begin-run.ts'
import { type ExecutionParts, inTenantWithRetry, listenersOf } from './execution.ts'
import { loadPlan } from './plan.ts'
import { createProgram } from './program.ts'
import { unchanged, withEnd } from './run-change.ts'

/**
 * Executes runs for the engine. Whatever changes a run reads its rows under their lock first, so that a crash of the
 * database cannot leave another truth in memory.
 */
export function createInterpreter(parts: ExecutionParts): Interpreter {
  return {
    async begin(ref, host) {
      const begun = await takeRun(parts, ref, host)
      return begun && createProgram(parts, ref, host, begun)
    },

    async abandon(ref, executorId, reason) {
      await inTenantWithRetry(parts, ref, async (db) => {
        const run = await lockRun(db, ref.runId)
        if (run === undefined || isRunOver(run.status) || run.executorId !== executorId) return
        const [open, plan] = [
          await readOpenSteps(db, run.id),
          await loadPlan(db, run, parts.definitions, parts.stepTypes),
        ]
        const now = parts.clock.now()
        const end = { status: 'failed' as const, message: reason, stepKey: null }
        const change = withEnd(unchanged(run), run, open, end, now)
        await recordRunChange(db, listenersOf({ parts, plan }), run, change, 0)
      })
    },
  }
}
