/** What the fields of a date and a time hold, in the time zone of the browser; both empty: no bound. */
export interface LocalTime {
  /** `2026-11-22` */
  date: string
  /** `14:05`; empty is the beginning of the day, or its end where the time is the last one. */
  time: string
}

/** The fields for an instant, RFC 3339; empty where it is none. */
export function localTime(instant: string | undefined): LocalTime {
  const at = instant === undefined ? undefined : new Date(instant)
  if (!at || Number.isNaN(at.getTime())) return { date: '', time: '' }
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    date: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  }
}

/** A range as the address holds it, or what is wrong with the fields. */
export function readRange(
  from: LocalTime,
  to: LocalTime,
): { from: string; to: string; error?: undefined } | { error: string } {
  if (!from.date && !to.date) return { error: 'Choose a date.' }
  const begin = instantOf(from, '00:00')
  const end = instantOf(to, '23:59')
  if (begin === undefined || end === undefined) return { error: 'Enter a whole date, such as 2026-11-22.' }
  if (begin !== '' && end !== '' && begin >= end) return { error: 'The range ends before it begins.' }
  return { from: begin, to: end }
}

/** Undefined where the fields hold no time; empty where they are empty. */
function instantOf({ date, time }: LocalTime, otherwise: string): string | undefined {
  if (!date) return time ? undefined : ''
  const at = new Date(`${date}T${time || otherwise}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
