import { inSpan, parentOfRun } from '../../../platform/tracing/tracing.ts'
import { idsOfRun } from '../../../platform/tracing/traceparent.ts'
import type { StepRow } from '../runs/store.ts'
import type { Outcome } from './attempt.ts'
import type { Execution } from './execution.ts'

/**
 * Records the span of a run that is over, from when it was queued. It has ids that follow from the run's, so whichever process
 * ends the run records it, above the steps that others have executed.
 */
export function recordRunSpan({ parts, run, endStatus }: Execution): void {
  const span = parts.tracing?.start('run', {
    ids: idsOfRun(run.id),
    startedAt: run.queuedAt,
    attributes: {
      'bey.run.id': run.id,
      // Ended by somebody else, such as by a forced cancel.
      'bey.run.status': endStatus ?? 'cancelled',
      'bey.workflow.id': run.workflowId,
      'bey.workflow.version': run.version ?? undefined,
      'bey.organization.id': run.organizationId,
    },
  })
  span?.end(endStatus === 'failed' || endStatus === 'timed_out')
}

/** Executes one attempt of a step in a span below that of its run. */
export async function tracedStep<T extends Outcome | 'left' | 'lost'>(
  { parts: { tracing }, run }: Execution,
  key: string,
  step: StepRow,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work()
  const span = tracing.start('step', {
    parent: parentOfRun(tracing, run.id),
    attributes: {
      'bey.step.key': key,
      'bey.step.type': step.type,
      'bey.step.attempt': step.attempt,
      'bey.run.id': run.id,
      'bey.organization.id': run.organizationId,
    },
  })
  const outcome = await inSpan(span, work)
  const status = typeof outcome === 'string' ? outcome : outcome.status
  span.set({ 'bey.step.outcome': status })
  span.end(status === 'failed' || status === 'timed_out')
  return outcome
}
