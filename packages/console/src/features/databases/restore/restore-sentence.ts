import type { DatabaseMoment, DatabaseRecoverableWindow } from '@bey/contract'
import { tableText } from '@bey/contract'
import { momentText, relativeTime } from '../../../ui/time-text.ts'
import { nearestMoment } from '../backups/window-text.ts'
import { removesAll, secondBefore } from './restore-moments.ts'

/** What was removed last, as the head of the page says it; undefined where nothing is known to have been removed. */
export function restoreSentence(
  statements: readonly DatabaseMoment[],
  window: Pick<DatabaseRecoverableWindow, 'ranges'>,
  now: Date,
): { what: string; rest: string; moment: DatabaseMoment } | undefined {
  const moment = statements.find((each) => removesAll(each) && each.table !== null)
  if (moment?.table == null) return undefined
  const { at, verb, table, by, run } = moment
  const atMs = Date.parse(at)
  const done = verb === 'truncate' ? 'emptied' : 'dropped'
  const who = run === null ? by : `a run of ${run.workflowName}`
  const before = secondBefore(atMs)
  const isThere = nearestMoment(window, before) === before
  const then = isThere
    ? 'The second before it can be restored: it is there then.'
    : before < Date.parse(window.ranges[0]?.from ?? '')
      ? 'No moment before it can be restored.'
      : 'The second before it lies in a gap.'
  return {
    what: `${tableText(table)} was ${done} at ${momentText(at, now)}`,
    rest: `, ${relativeTime(new Date(atMs), now)}${who === null ? '' : `, by ${who}`}. ${then}`,
    moment,
  }
}
