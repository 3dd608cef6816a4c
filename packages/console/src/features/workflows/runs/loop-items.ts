import type { StepRun } from '@bey/contract'

import { formatNumber } from '../../../lib/format.ts'

/** How many items of a loop have ended, failed and go on. */
export function countItems(items: readonly StepRun[]) {
  const count = (...statuses: StepRun['status'][]) =>
    items.filter(({ status }) => statuses.includes(status)).length
  return {
    all: items.length,
    succeeded: count('succeeded'),
    failed: count('failed', 'timed_out'),
    uncertain: count('uncertain'),
    underWay: count('ready', 'running', 'waiting', 'retry_wait'),
    left: count('skipped', 'cancelled'),
    pending: count('pending'),
  }
}

/** "10 of 12 items succeeded, 2 failed". */
export function itemsText(items: readonly StepRun[]): string {
  const { all, succeeded, failed, uncertain, underWay, left } = countItems(items)
  const rest = (
    [
      [failed, 'failed'],
      [uncertain, 'uncertain'],
      [underWay, 'under way'],
      [left, 'left out'],
    ] as const
  ).flatMap(([count, word]) => (count > 0 ? [`${formatNumber(count)} ${word}`] : []))
  return [
    `${formatNumber(succeeded)} of ${formatNumber(all)} ${all === 1 ? 'item' : 'items'} succeeded`,
    ...rest,
  ].join(', ')
}

/** The iterations of each loop, by the key of its step. */
export function itemsByLoop(steps: readonly StepRun[]): ReadonlyMap<string, readonly StepRun[]> {
  const found = new Map<string, StepRun[]>()
  for (const step of steps) {
    if (step.parentKey === null) continue
    const items = found.get(step.parentKey)
    if (items) items.push(step)
    else found.set(step.parentKey, [step])
  }
  return found
}
