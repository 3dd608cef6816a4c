import { randomInt } from 'node:crypto'

import type { RecoverableWindow } from '@bey/contract'

const dayMs = 86_400_000

/**
 * A random second among those of the last day that can be restored; of what there is where nothing of the last day can.
 * Undefined where nothing can be restored at all.
 */
export function randomTarget({ ranges }: RecoverableWindow, nowMs: number): Date | undefined {
  const last = ranges.at(-1)
  if (last === undefined) return undefined
  const recent = ranges
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, nowMs - dayMs), toMs }))
    .filter(({ fromMs, toMs }) => fromMs <= toMs)
  const chosen = recent.length > 0 ? recent : [{ fromMs: last.toMs, toMs: last.toMs }]
  const totalMs = chosen.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  let rest = randomInt(Math.floor(totalMs) + 1)
  for (const { fromMs, toMs } of chosen) {
    const lengthMs = toMs - fromMs
    // A whole second, unless the range begins after it.
    if (rest <= lengthMs) return new Date(Math.max(fromMs, Math.floor((fromMs + rest) / 1000) * 1000))
    rest -= lengthMs
  }
  return new Date(last.toMs)
}
