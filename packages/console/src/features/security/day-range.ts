/** A day of the browser's time zone, `2026-11-17`, as instants; empty text ends the filter. */
export function dayRange(day: string): { from: string; to: string } {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return { from: '', to: '' }
  const from = new Date(year, month - 1, date)
  const to = new Date(year, month - 1, date + 1)
  if (Number.isNaN(from.getTime()) || year < 1970 || year > 9998) return { from: '', to: '' }
  return { from: from.toISOString(), to: to.toISOString() }
}

/** The day that two instants enclose, if they enclose exactly one. */
export function dayOf(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined
  const start = new Date(from)
  const pad = (value: number) => String(value).padStart(2, '0')
  const day = `${start.getFullYear()}-${pad(start.getMonth() + 1)}-${pad(start.getDate())}`
  const range = dayRange(day)
  return range.from === start.toISOString() && range.to === new Date(to).toISOString() ? day : undefined
}
