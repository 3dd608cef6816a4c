import type { Clock } from '../../platform/clock.ts'

/** How many may be taken within a minute, by organization; counted in this process. */
export function createAllowance(perMinute: number, clock: Clock) {
  let startedAtMs = clock.monotonicMs()
  const taken = new Map<number, number>()
  return {
    /** Takes as many as are left, at most `wanted`. */
    take(organizationId: number, wanted: number): number {
      const nowMs = clock.monotonicMs()
      if (nowMs - startedAtMs >= 60_000) {
        startedAtMs = nowMs
        taken.clear()
      }
      const before = taken.get(organizationId) ?? 0
      const granted = Math.max(0, Math.min(wanted, perMinute - before))
      taken.set(organizationId, before + granted)
      return granted
    },
  }
}
