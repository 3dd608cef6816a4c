import type { StepRun } from '@bey/contract'
import type { RunDetail } from '../../data/workflows.ts'

/** Begin and end of a step, in milliseconds since 1970. */
export interface Span {
  from: number
  to: number
}

const over: ReadonlySet<StepRun['status']> = new Set([
  'succeeded',
  'failed',
  'timed_out',
  'skipped',
  'cancelled',
])

export const isStepOver = (step: Pick<StepRun, 'status'>) => over.has(step.status)

/**
 * When each step that is not over will probably begin and end, from the median of earlier runs. A step without a known
 * median, or behind one, is left out. Iterations are left out: the step that they belong to represents them.
 */
export function expectedSpans(
  { steps, usual }: Pick<RunDetail, 'steps' | 'usual'>,
  now: number,
): ReadonlyMap<string, Span> {
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const spans = new Map<string, Span | undefined>()
  // Without recursion: a chain may be thousands of steps long.
  for (const first of steps) {
    const open = [first]
    const onPath = new Set([first.key])
    for (let step = open.at(-1); step; step = open.at(-1)) {
      const needs = step.needs.flatMap((key) => byKey.get(key) ?? [])
      const unknown = spans.has(step.key) ? undefined : needs.find((each) => !spans.has(each.key))
      if (unknown && !onPath.has(unknown.key)) {
        open.push(unknown)
        onPath.add(unknown.key)
        continue
      }
      if (!spans.has(step.key)) spans.set(step.key, spanOf(step, needs, spans, usual, now))
      open.pop()
      onPath.delete(step.key)
    }
  }
  return new Map(
    steps.flatMap((step) => {
      const span = spans.get(step.key)
      return span && !isStepOver(step) && step.parentKey === null ? [[step.key, span] as const] : []
    }),
  )
}

function spanOf(
  step: StepRun,
  needs: readonly StepRun[],
  spans: ReadonlyMap<string, Span | undefined>,
  usual: RunDetail['usual'],
  now: number,
): Span | undefined {
  const startedAt = step.startedAt ? Date.parse(step.startedAt) : undefined
  if (isStepOver(step)) {
    const to = step.finishedAt ? Date.parse(step.finishedAt) : now
    return { from: startedAt ?? to, to }
  }
  const medianMs = usual[step.key]?.medianMs
  if (medianMs === undefined) return undefined
  if (startedAt !== undefined) return { from: startedAt, to: Math.max(now, startedAt + medianMs) }
  let from = now
  for (const need of needs) {
    const span = spans.get(need.key)
    if (!span) return undefined
    from = Math.max(from, span.to)
  }
  return { from, to: from + medianMs }
}

/** How long a run will go on. `unknown`: fewer than five runs of the workflow have completed. */
export type TimeLeft =
  | { kind: 'unknown' }
  | { kind: 'left'; leftMs: number; endsAt: number }
  /** It takes longer than the median of earlier runs. */
  | { kind: 'overdue'; overMs: number }

/** Time left of a run that has begun and is not over, from the median of earlier runs. */
export function timeLeft(
  detail: Pick<RunDetail, 'run' | 'steps' | 'usual' | 'estimate'>,
  now: number,
): TimeLeft {
  const { run, estimate, steps } = detail
  if (!estimate || run.startedAt === null) return { kind: 'unknown' }
  const spans = expectedSpans(detail, now)
  const open = steps.filter((step) => !isStepOver(step) && step.parentKey === null)
  const isWhole = open.length > 0 && open.every((step) => spans.has(step.key))
  const usualEnd = Date.parse(run.startedAt) + estimate.totalMs
  const endsAt = isWhole ? Math.max(...open.map((step) => spans.get(step.key)?.to ?? now)) : usualEnd
  const leftMs = endsAt - now
  return leftMs > 0 ? { kind: 'left', leftMs, endsAt } : { kind: 'overdue', overMs: now - usualEnd }
}
