import type { Health, HealthObject, HealthState } from '@bey/contract'
import { healthRank } from '@bey/contract'

/** What a rule found, and when it may find something else although nothing changed in the cluster. */
export type Verdict = {
  health: Health
  /** Milliseconds since 1970; Infinity when only a change can alter it. */
  changesAtMs: number
}

export const never = Number.POSITIVE_INFINITY

/** Lengths that people read; messages of Kubernetes can be kilobytes long. */
const maxDetail = 300

export function verdict(
  state: HealthState,
  reason: string | null,
  detail: string | null = null,
  sinceMs: number | null = null,
  changesAtMs: number = never,
): Verdict {
  return {
    health: { state, reason, detail: shortened(detail), since: isoTime(sinceMs), object: null },
    changesAtMs,
  }
}

export const fine: Verdict = verdict('healthy', null)

/** The same with this object at fault, unless another one is known already. */
export function about(object: HealthObject, { health, changesAtMs }: Verdict): Verdict {
  return health.object ? { health, changesAtMs } : { health: { ...health, object }, changesAtMs }
}

/** The worst of several, the one that lasts longest first; undefined of none. */
export function worstOf(verdicts: readonly Verdict[]): Verdict | undefined {
  let worst: Verdict | undefined
  let changesAtMs = never
  for (const each of verdicts) {
    changesAtMs = Math.min(changesAtMs, each.changesAtMs)
    if (!worst || isWorse(each.health, worst.health)) worst = each
  }
  return worst && { health: worst.health, changesAtMs }
}

export function isWorse(one: Health, other: Health): boolean {
  const difference = healthRank(one.state) - healthRank(other.state)
  if (difference !== 0) return difference < 0
  return (one.since ?? '9') < (other.since ?? '9')
}

function isoTime(ms: number | null): string | null {
  return ms === null || !Number.isFinite(ms) ? null : new Date(ms).toISOString()
}

function shortened(text: string | null): string | null {
  const line = text?.replace(/\s+/g, ' ').trim()
  if (!line) return null
  return line.length <= maxDetail ? line : `${line.slice(0, maxDetail - 1)}…`
}
