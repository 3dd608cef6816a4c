import {
  type DatabaseRecoverableWindow,
  type DatabaseRestore,
  overPromiseMs,
  recoveryMs,
} from '@bey/contract'
import { formatDuration } from '../../../lib/format.ts'
import { momentText, sinceText } from '../../../ui/time-text.ts'

type Window = Pick<DatabaseRecoverableWindow, 'ranges' | 'gaps'>

/** "Any second from 8 Nov, 02:00 to 14:25:31 can be restored, except 49 min on 17 Nov." */
export function windowText({ ranges, gaps }: Window, now: Date): string {
  const [first] = ranges
  const last = ranges.at(-1)
  if (first === undefined || last === undefined) return 'No backup yet: this database could not be restored.'
  if (ranges.every(({ from, to }) => from === to)) {
    return ranges.length === 1
      ? `The moment of one backup can be restored, ${momentText(first.from, now)}.`
      : `The moments of ${ranges.length} backups can be restored, nothing between them.`
  }
  const [gap, ...others] = gaps
  const except =
    gap === undefined
      ? ''
      : others.length === 0
        ? `, except ${lengthOf(gap)} from ${sinceText(gap.from, now)}`
        : `, except ${gaps.length} gaps of ${formatDuration(gaps.reduce((sum, each) => sum + durationOf(each), 0))} together`
  return `Any second from ${sinceText(first.from, now)} to ${momentText(last.to, now)} can be restored${except}.`
}

type Range = { from: string; to: string }

const durationOf = ({ from, to }: Range) => Date.parse(to) - Date.parse(from)
const lengthOf = (range: Range) => formatDuration(durationOf(range))

/** The latest moment that can be restored; undefined where none can. */
export function latestMoment({ ranges }: Pick<Window, 'ranges'>): number | undefined {
  const last = ranges.at(-1)
  return last === undefined ? undefined : Date.parse(last.to)
}

/** The moment in the window that is nearest to this one; undefined where the window is empty. */
export function nearestMoment({ ranges }: Pick<Window, 'ranges'>, atMs: number): number | undefined {
  let nearest: number | undefined
  for (const { from, to } of ranges) {
    const inside = Math.min(Math.max(atMs, Date.parse(from)), Date.parse(to))
    if (nearest === undefined || Math.abs(inside - atMs) < Math.abs(nearest - atMs)) nearest = inside
  }
  return nearest
}

type Drill = Pick<DatabaseRestore, 'proof' | 'finishedAt' | 'lostMs' | 'durations' | 'failure'>

/** "Proven 03:12: back in 6 min 40 s, 4 s would have been lost." of the newest of these that ended as a drill; newest first. */
export function provenText(
  restores: readonly Drill[] | undefined,
  now: Date,
  recoveryTimeMinutes: number | null = null,
): string {
  if (restores === undefined) return ''
  const ran = restores.find(({ proof }) => proof === 'passed' || proof === 'failed')
  if (ran?.finishedAt == null) return 'Never proven.'
  const at = sinceText(ran.finishedAt, now)
  if (ran.proof === 'failed') return `The last drill failed, ${at}: ${ran.failure ?? 'a check did not pass.'}`
  const backMs = recoveryMs(ran.durations)
  const parts = [
    backMs === null ? '' : `back in ${formatDuration(backMs)}${promiseText(backMs, recoveryTimeMinutes)}`,
    ran.lostMs === null ? '' : `${formatDuration(ran.lostMs)} would have been lost`,
  ].filter(Boolean)
  return `Proven ${at}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`
}

/** " within what was promised"; empty where nothing is promised. */
function promiseText(backMs: number, recoveryTimeMinutes: number | null): string {
  const overMs = overPromiseMs(backMs, recoveryTimeMinutes)
  if (overMs === null) return ''
  return overMs <= 0 ? ' within what was promised' : `, ${formatDuration(overMs)} more than promised`
}
