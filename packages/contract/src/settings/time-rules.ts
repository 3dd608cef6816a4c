/** Rules about how times are written, which both the console and the server keep. */

/** `day-month`: 21 Nov 2026 · `month-day`: Nov 21, 2026 · `iso`: 2026-11-21. */
export const dateFormats = ['day-month', 'month-day', 'iso'] as const
export type DateFormat = (typeof dateFormats)[number]

/** `24`: 17:04:31 · `12`: 5:04:31 pm. */
export const hourCycles = ['24', '12'] as const
export type HourCycle = (typeof hourCycles)[number]

/** How a user reads absolute times. */
export interface TimeFormat {
  /** An IANA name such as `Europe/Vienna`; null for that of the device. */
  timeZone: string | null
  dateFormat: DateFormat
  hourCycle: HourCycle
}

export const defaultTimeFormat: TimeFormat = { timeZone: null, dateFormat: 'day-month', hourCycle: '24' }

/** An IANA time zone that this machine knows, by name: offsets such as `+05:00` follow no daylight saving. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+\-/]{0,63}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
