import type { RunDetail } from '../../data/workflows.ts'
import { formatCount } from '../../lib/format.ts'

/** What became of a run whose process died. */
export interface Recovery {
  /** When the process was lost and when another went on, in milliseconds since 1970; undefined where not recorded. */
  lostAt: number | undefined
  wentOnAt: number | undefined
  /** Ids of the processes. */
  from: string
  to: string
  stepKey: string
}

/** Each time that another process continued a step, the first first. */
export function recoveriesOf({ attempts }: Pick<RunDetail, 'attempts'>): readonly Recovery[] {
  return attempts.flatMap((attempt) => {
    if (attempt.status !== 'interrupted') return []
    const next = attempts.find(
      (each) => each.stepKey === attempt.stepKey && each.attempt === attempt.attempt + 1,
    )
    return [
      {
        lostAt: attempt.finishedAt ? Date.parse(attempt.finishedAt) : undefined,
        wentOnAt: next ? Date.parse(next.startedAt) : undefined,
        from: attempt.executorId,
        to: next?.executorId ?? '',
        stepKey: attempt.stepKey,
      },
    ]
  })
}

/** What a recovery kept and what it repeated, in a sentence. */
export function keptText({ steps }: Pick<RunDetail, 'steps'>, recoveries: readonly Recovery[]): string {
  const at = recoveries.at(-1)?.lostAt
  const kept = steps.filter(
    ({ status, finishedAt }) =>
      status === 'succeeded' && finishedAt !== null && (at === undefined || Date.parse(finishedAt) <= at),
  ).length
  const repeated = [...new Set(recoveries.map(({ stepKey }) => stepKey))].flatMap(
    (key) => steps.find((step) => step.key === key && step.status !== 'uncertain')?.name ?? [],
  )
  const again =
    repeated.length === 0
      ? 'nothing was repeated'
      : `${repeated.length === 1 ? repeated[0] : formatCount(repeated.length, 'step')} began again`
  if (kept === 0) return `${again.charAt(0).toUpperCase()}${again.slice(1)}.`
  return `${formatCount(kept, 'finished step was', 'finished steps were')} kept; ${again}.`
}
