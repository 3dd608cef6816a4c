/** "Mon 23 Nov 2026, 02:30 (01:30 here)": a due time in the zone of its schedule, and in that of the reader. */
export function dueText(
  at: Date,
  timeZone: string,
  here: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): string {
  const day = partsOf(at, timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const clock = clockOf(at, timeZone)
  const own = clockOf(at, here)
  const date = `${day('weekday')} ${day('day')} ${day('month')} ${day('year')}`
  return `${date}, ${clock}${own === clock ? '' : ` (${own} here)`}`
}

function clockOf(at: Date, timeZone: string): string {
  const part = partsOf(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return `${part('hour')}:${part('minute')}`
}

function partsOf(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions) {
  const parts = new Intl.DateTimeFormat('en', { ...options, timeZone }).formatToParts(at)
  return (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
}
