import type { ChangeEntry } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { durationText, lastChange } from './change-before.ts'

/** What changed longer before is not named: too much else happened since. */
const windowMs = 10 * 60_000
/** The last of these that changed something is meant: requests that the cluster refused may have come after it. */
const readChanges = 20

/** The last change of a cluster before something began to fail; undefined where none is known within 10 minutes. */
export function useChangeBefore(
  clusterId: number | undefined,
  since: string | null,
): { change: ChangeEntry; afterText: string } | undefined {
  const sinceMs = Date.parse(since ?? '')
  const isKnown = clusterId !== undefined && Number.isFinite(sinceMs)
  const query = {
    from: new Date(isKnown ? sinceMs - windowMs : 0).toISOString(),
    to: new Date(isKnown ? sinceMs : 1).toISOString(),
    warnings: 'none' as const,
    atMost: readChanges,
  }
  const { data } = useRead(
    'kubernetes.changes',
    { params: { id: clusterId ?? 0 }, query },
    { isEnabled: isKnown },
  )
  const change = data && lastChange(data.changes)
  return change && { change, afterText: durationText(sinceMs - Date.parse(change.at)) }
}
