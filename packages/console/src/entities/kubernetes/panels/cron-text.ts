import { Cron } from 'croner'
import { toString as cronWords } from 'cronstrue'

/** A schedule in words with its next times; `problem` where it is none that can be read. */
export function cronText(
  schedule: string,
  timeZone: string | null,
  from: Date,
  count = 5,
): { words: string; next: readonly Date[] } | { problem: string } {
  // Kubernetes allows a time zone inside of the schedule, although it advises against it.
  const inside = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(schedule)
  const pattern = (inside?.[2] ?? schedule).trim()
  try {
    // The controller counts in UTC by default.
    const cron = new Cron(pattern, { timezone: timeZone ?? inside?.[1] ?? 'Etc/UTC', paused: true })
    const words = cronWords(pattern, { use24HourTimeFormat: true, verbose: false })
    return { words, next: cron.nextRuns(count, from) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'This schedule cannot be read.' }
  }
}
