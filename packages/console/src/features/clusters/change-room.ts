import type { ChangeEntry } from '@bey/contract'

/** Warnings may take so much of the room while there is more that somebody did. */
const warningShare = 0.4

/**
 * The newest of folded changes that find room; warnings take a share of it at most, so that what somebody did is not
 * lost among them.
 */
export function withinRoom(changes: readonly ChangeEntry[], room: number): readonly ChangeEntry[] {
  if (changes.length <= room) return changes
  const isWarning = ({ kind }: ChangeEntry) => kind === 'event'
  const warnings = changes.filter(isWarning)
  const others = changes.filter((each) => !isWarning(each))
  const warningCount = Math.max(
    room - others.length,
    Math.min(warnings.length, Math.floor(room * warningShare)),
  )
  const kept = new Set([...warnings.slice(0, warningCount), ...others.slice(0, room - warningCount)])
  return changes.filter((each) => kept.has(each))
}
