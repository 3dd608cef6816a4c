import type { AttentionItem } from '@bey/contract'
import { durationText } from '../../entities/kubernetes/change-before.ts'
import { reasonText } from '../../entities/health/reason-text.ts'

/** What begins later after a change is not shown with it: too much else happens meanwhile. */
export const followMs = 10 * 60_000

export interface Follower {
  key: string
  name: string
  /** "began to fail: CrashLoopBackOff" */
  what: string
  /** "38 s later" */
  afterText: string
  href: string
}

export interface FiringAlert {
  id: string
  name: string
  /** RFC 3339: since when its worst series fires. */
  since: string
}

/** What began to go wrong within minutes after a change and is not over yet, in the order of its beginning. */
export function followersOf(
  changedAt: string,
  attention: readonly AttentionItem[],
  alerts: readonly FiringAlert[],
): Follower[] {
  // Kubernetes tells when something failed in whole seconds: what failed in the second of the change may have followed it.
  const atMs = Math.floor(Date.parse(changedAt) / 1000) * 1000
  const afterOf = (since: string | null) => Date.parse(since ?? '') - atMs
  const failing = attention.map(({ key, name, health, href }) => ({
    key,
    name,
    what: [
      health.state === 'failing' ? 'began to fail' : `became ${health.state}`,
      health.reason === null ? null : reasonText(health.reason),
    ]
      .filter(Boolean)
      .join(': '),
    href,
    afterMs: afterOf(health.since),
  }))
  const fired = alerts.map(({ id, name, since }) => ({
    key: `alert ${id}`,
    name,
    what: 'alert fired',
    href: `/analytics/alerts/${id}`,
    afterMs: afterOf(since),
  }))
  return (
    [...failing, ...fired]
      // NaN, where nobody knows since when, is in no time.
      .filter(({ afterMs }) => afterMs >= 0 && afterMs <= followMs)
      .toSorted((a, b) => a.afterMs - b.afterMs)
      .map(({ afterMs, ...rest }) => ({ ...rest, afterText: `${durationText(afterMs)} later` }))
  )
}

/**
 * How many restarts there were within minutes before and after a change. `perMinute` are the steps of one series around
 * it; undefined where nothing was measured after it.
 */
export function restartsAround(
  changedAt: string,
  perMinute: readonly (number | null)[] | undefined,
  times: readonly number[],
  stepMs: number,
): { before: number; after: number } | undefined {
  const atMs = Date.parse(changedAt)
  let [before, after, isKnown] = [0, 0, false]
  for (const [index, value] of (perMinute ?? []).entries()) {
    const time = times[index] ?? 0
    if (value === null || Math.abs(time - atMs) > followMs) continue
    const count = (value * stepMs) / 60_000
    if (time < atMs) before += count
    else [after, isKnown] = [after + count, true]
  }
  return isKnown ? { before: Math.round(before), after: Math.round(after) } : undefined
}
