import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Json, StepContext } from '../definition/definition.ts'
import type { LockedRun, LogLine, StepRow } from '../runs/store.ts'
import { moveOf, notifyMove } from './record-run-change.ts'
import { executeAttempt, type Outcome } from './attempt.ts'
import { type Execution, inTenantWithRetry, listenersOf, progressOf } from './execution.ts'
import { checkAttempt } from './run-ownership.ts'
import { planStepOf } from './plan.ts'
import type { Prepared } from './prepare-step.ts'
import { type Reporter, reportStep } from './reporter.ts'
import { tracedStep } from './run-spans.ts'

export type Executed = { outcome: Outcome | 'left' | 'lost'; lines(): readonly LogLine[] }

/** Executes one attempt of a step that is recorded as running; answers its outcome with the lines not written yet. */
export async function executeStep(
  x: Execution,
  key: string,
  step: StepRow,
  run: LockedRun,
  prepared: Prepared | Outcome | undefined,
): Promise<Executed> {
  const mask = prepared !== undefined && 'mask' in prepared ? prepared.mask : (text: string) => text
  const report = reporterOf(x, key, step, run, mask)
  const outcome =
    prepared !== undefined && 'status' in prepared
      ? prepared
      : await tracedStep(x, key, step, () =>
          executeAttempt({
            execute: (context) => executorOf(x, key, prepared)(context),
            run,
            step,
            outputs: Object.fromEntries(x.outputs),
            report,
            // What undoes a step is not stopped by the cancel that asks for it.
            signal: key.endsWith('!undo') ? x.stopping : x.signal(),
            timeoutMs: timeoutOf(x, key),
            isHeld: async () => (await checkAttempt(x, step)) === 'held',
            givenUp: x.givenUp,
            mask,
            clock: x.parts.clock,
            log: x.parts.log,
          }),
        )
  if (outcome !== 'left' && outcome !== 'lost') logEnd(report, outcome)
  await report.stop()
  return { outcome, lines: () => report.pending() }
}

function logEnd(report: Reporter, outcome: Outcome): void {
  if (outcome.status === 'cancelled') report.log('Cancelled.', 'warning')
  else if (outcome.status !== 'succeeded') report.log(outcome.message, 'error')
}

function executorOf(x: Execution, key: string, prepared: Prepared | undefined) {
  const work = planStepOf(x.plan, key)?.work
  if (work?.kind === 'built_in') return (context: StepContext) => work.definition.execute(context)
  if (prepared?.kind !== 'act' || prepared.type.kind !== 'action') {
    throw new StepFailure('This server does not know this step any more.')
  }
  const { type, config, mask, secretValues } = prepared
  const idempotencyKey = `${x.ref.runId}:${key}`
  return (context: StepContext): Promise<Json | undefined> =>
    type.execute({ ...context, idempotencyKey, mask, secretValues }, config)
}

function timeoutOf(x: Execution, key: string): number | undefined {
  const work = planStepOf(x.plan, key)?.work
  return work?.kind === 'own' ? work.definition.timeoutMs : undefined
}

function reporterOf(
  x: Execution,
  key: string,
  step: StepRow,
  run: LockedRun,
  mask: (text: string) => string,
): Reporter {
  return reportStep({
    run,
    step,
    executorId: x.host.executorId,
    publish: x.parts.publish,
    clock: x.parts.clock,
    mask,
    withRun: (work) => inTenantWithRetry(x.parts, x.ref, work),
    async onProgress(db, percent) {
      x.percents.set(key, percent)
      await notifyMove(db, listenersOf(x), moveOf(run, 'running', step, progressOf(x)))
    },
    onFailure: (error) =>
      x.parts.log.error({ err: error, runId: run.id }, 'Log lines of a run could not be written'),
  })
}
