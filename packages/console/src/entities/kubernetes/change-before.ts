import type { ChangeEntry } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { runHref } from '../../lib/run-text.ts'

/**
 * What somebody or a run did; a warning is no change, an object that was found had been there, and what the cluster refused,
 * the one thing an act's detail says, changed nothing. `changes`: newest first.
 */
export function lastChange(changes: readonly ChangeEntry[]): ChangeEntry | undefined {
  return changes.find(
    ({ kind, title, detail }) =>
      kind !== 'event' && !title.endsWith(' found') && !(kind === 'action' && detail !== null),
  )
}

/** "40 s", "3 min". */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds}\u00a0s` : `${Math.floor(seconds / 60)}\u00a0min`
}

/** The page that shows what changed; undefined for what has none. */
export function changeHref(
  clusterId: number,
  { object, versionId, run }: Pick<ChangeEntry, 'object' | 'versionId' | 'run'>,
): string | undefined {
  if (run) return runHref(run)
  if (!object?.resource) return undefined
  const path = objectPath({ clusterId, ...object, resource: object.resource })
  return versionId ? `${path}?tab=history&q=${versionId}` : path
}

/** "Ada Lovelace" of "Ada Lovelace (ada@example.com)". */
export const actorName = (actor: string) => actor.replace(/ \([^()]*\)$/, '')
