/**
 * How far a server process had heard the events of an organization when it began to answer: `epoch.events.objects`.
 * Events count those that are published, objects the changes of what clusters hold. Positions of two processes, or of
 * one before and after its restart, have nothing to do with one another.
 */
export type LivePosition = string

/** Header of replies that were read from an organization. */
export const positionHeader = 'x-bey-position'

/** What a screen shows: rows of our own, or also objects of a cluster. */
export type PositionScope = 'events' | 'objects'

/** Whether what was read at one position has in it all that had happened at another. */
export function includesPosition(
  read: LivePosition | undefined,
  other: LivePosition | undefined,
  scope: PositionScope = 'events',
): boolean {
  const [readEpoch, readEvents, readObjects] = read?.split('.') ?? []
  const [epoch, events, objects] = other?.split('.') ?? []
  if (readEpoch === undefined || readEpoch !== epoch) return false
  if (Number(readEvents) < Number(events)) return false
  return scope === 'events' || Number(readObjects) >= Number(objects)
}
