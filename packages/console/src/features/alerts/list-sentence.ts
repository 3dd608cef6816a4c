import type { CallOutput } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { sinceText } from '../../ui/time-text.ts'

/** What the list is about in a sentence: what fires, what nobody knows, and what came of it in 30 days. */
export function listSentence({
  counts,
  firedCount,
  actedOnCount,
  alerts,
}: Pick<CallOutput<'alerts.list'>, 'counts' | 'firedCount' | 'actedOnCount' | 'alerts'>): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (all === 0) return 'Nothing is watched yet'
  const firing = counts.firing + counts.warning
  const now =
    firing === 0
      ? `None of ${formatCount(all, 'alert')} fires.`
      : `${firing} of ${formatCount(all, 'alert')} ${firing === 1 ? 'fires' : 'fire'}${whoHasThem(alerts, firing)}.`
  const unknown =
    counts.no_data === 0 ? '' : ` ${counts.no_data} ${counts.no_data === 1 ? 'has' : 'have'} no data.`
  const past =
    firedCount === 0
      ? ' Nothing fired in 30 days.'
      : ` Fired ${formatCount(firedCount, 'time')} in 30 days, ${actedOnCount} acted on.`
  return now + unknown + past
}

/** Since when they fire, and who has them; nothing where some are not on this page of the list. */
function whoHasThem(alerts: CallOutput<'alerts.list'>['alerts'], count: number): string {
  const firing = alerts.filter(({ group }) => group === 'firing' || group === 'warning')
  const since = firing.flatMap(({ since: each }) => each ?? []).toSorted()[0]
  if (firing.length !== count || since === undefined) return ''
  const free = firing.filter(({ acknowledgedBy }) => acknowledgedBy === null).length
  const owners = [...new Set(firing.flatMap(({ acknowledgedBy }) => acknowledgedBy?.name ?? []))]
  const who =
    free === count
      ? 'nobody has taken over'
      : free > 0
        ? `${free} without anybody`
        : `${owners.join(', ')} on it`
  return ` since ${sinceText(since)}, ${who}`
}
