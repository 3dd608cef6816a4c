/** Those who may decide are reminded of an approval at most this often, whoever asks. */
export const reminderPauseMs = 3_600_000

export interface ReminderFacts {
  status: string
  /** When they were reminded last; null: never. */
  remindedAt: string | null
  /** How many people may still decide. */
  decidersTotal: number
}

/** Why nobody can be reminded of an approval now; undefined where they can. `nowMs` in milliseconds since 1970. */
export function reminderDeniedReason(
  { status, remindedAt, decidersTotal }: ReminderFacts,
  nowMs: number,
): string | undefined {
  if (status !== 'pending') return 'Nobody has to decide this any more.'
  if (decidersTotal === 0) return 'Nobody can decide this: give somebody the role that may.'
  const leftMs = remindedAt === null ? 0 : Date.parse(remindedAt) + reminderPauseMs - nowMs
  if (leftMs <= 0) return undefined
  return `They were reminded less than an hour ago. Remind again in ${Math.ceil(leftMs / 60_000)} min.`
}
