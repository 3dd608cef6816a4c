import type { RunDetail } from '../../../data/workflows.ts'
import { formatCount } from '../../../lib/format.ts'

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

/** A process shows that it is alive once a second: its last steps may have ended so much after the last sign of it. */
const signPeriodMs = 1_000

/** What a recovery kept, what it repeated, and what is not known, in a sentence. */
export function keptText({ steps }: Pick<RunDetail, 'steps'>, recoveries: readonly Recovery[]): string {
  const last = recoveries.at(-1)
  const until = last?.wentOnAt ?? (last?.lostAt === undefined ? undefined : last.lostAt + signPeriodMs)
  const kept = steps.filter(
    ({ status, finishedAt }) =>
      status === 'succeeded' && finishedAt !== null && until !== undefined && Date.parse(finishedAt) <= until,
  ).length
  const namesOf = (keys: readonly string[]) =>
    [...new Set(keys)].flatMap((key) => steps.find((step) => step.key === key)?.name ?? [])
  const repeated = namesOf(recoveries.filter(({ to }) => to !== '').map(({ stepKey }) => stepKey))
  const uncertain = steps.filter(({ status }) => status === 'uncertain').map(({ name }) => name)
  const parts = [
    until === undefined ? 'finished steps were kept' : '',
    kept > 0 ? `${formatCount(kept, 'finished step was', 'finished steps were')} kept` : '',
    repeated.length === 0 && uncertain.length === 0 ? 'nothing was repeated' : '',
    repeated.length > 0 ? `${namedOrCounted(repeated)} began again` : '',
    uncertain.length > 0 ? `whether ${namedOrCounted(uncertain)} happened is not known` : '',
  ]
  const text = parts.filter(Boolean).join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function namedOrCounted([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : formatCount(more.length + 1, 'step')
}
