import type { Deployment } from '../types.ts'

/** A count from a number or a share of the whole. */
export function resolveShare(
  value: number | string | undefined,
  total: number,
  isRoundedUp: boolean,
): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  const share = (Number.parseInt(value, 10) / 100) * total
  return isRoundedUp ? Math.ceil(share) : Math.floor(share)
}

/** How many pods more, and how many fewer, a rollout may have at any moment. Never both zero. */
export function rollingBounds({ spec }: Deployment): { surge: number; unavailable: number } {
  if (spec.strategy?.type === 'Recreate') return { surge: 0, unavailable: 0 }
  const total = spec.replicas ?? 1
  const rolling = spec.strategy?.rollingUpdate
  const surge = resolveShare(rolling?.maxSurge, total, true)
  const unavailable = resolveShare(rolling?.maxUnavailable, total, false)
  if (surge === 0 && unavailable === 0) return { surge: 0, unavailable: 1 }
  return { surge, unavailable: Math.min(unavailable, total) }
}
