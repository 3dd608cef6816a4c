import type { CallOutput } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'

/** What the list is about in a sentence: what fires, what nobody knows, and what came of it in 30 days. */
export function listSentence({
  counts,
  firedCount,
  actedOnCount,
}: Pick<CallOutput<'alerts.list'>, 'counts' | 'firedCount' | 'actedOnCount'>): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (all === 0) return 'Nothing is watched yet'
  const firing = counts.firing + counts.warning
  const now =
    firing === 0
      ? `None of ${formatCount(all, 'alert')} fires.`
      : `${firing} of ${formatCount(all, 'alert')} ${firing === 1 ? 'fires' : 'fire'}.`
  const unknown =
    counts.no_data === 0 ? '' : ` ${counts.no_data} ${counts.no_data === 1 ? 'has' : 'have'} no data.`
  const past =
    firedCount === 0
      ? ' Nothing fired in 30 days.'
      : ` Fired ${formatCount(firedCount, 'time')} in 30 days, ${actedOnCount} acted on.`
  return now + unknown + past
}
