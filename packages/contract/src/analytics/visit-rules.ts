/** When a person was away from the console, and how far back the dashboard tells what happened meanwhile. */
export const visitRules = {
  /** Whoever was away for longer than this begins a new visit. */
  awayMs: 30 * 60_000,
  maxDays: 14,
  /** How often an open dashboard says that somebody is there. */
  recordEveryMs: 5 * 60_000,
} as const

/** A person's visits of an organization: when they were seen last, and when the visit before this one ended. */
export type Visits = { seenAt: Date; leftAt: Date | null }

/**
 * When the person left before the visit that goes on at `now`, or that begins then. Null during the first visit of all.
 */
export function leftBefore(visits: Visits | undefined, now: Date): Date | null {
  if (!visits) return null
  const isNewVisit = now.getTime() - visits.seenAt.getTime() > visitRules.awayMs
  return isNewVisit ? visits.seenAt : visits.leftAt
}
