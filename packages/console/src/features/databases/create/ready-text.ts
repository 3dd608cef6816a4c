import type { DatabasePlaces } from '../../../data/databases.ts'
import { formatCount, formatDuration } from '../../../lib/format.ts'

type CreationTime = DatabasePlaces['readyIn']['embedded']

/** How long a creation takes by those that were measured, in whole seconds rounded up; undefined where there are none. */
export const readyTime = (time: CreationTime): string | undefined =>
  time === null ? undefined : formatDuration(Math.ceil(time.medianMs / 1000) * 1000)

/** When a new database can be used, and that nothing is made before. */
export function readyText(time: CreationTime): string {
  const after = readyTime(time)
  if (time === null || after === undefined) return 'Nothing is created until you press the button.'
  const measured =
    time.basedOn === 1 ? 'the last creation' : `the last ${formatCount(time.basedOn, 'creation')}`
  return `Ready for its first query about ${after} after you press the button, as measured in ${measured}. Nothing is created before.`
}
