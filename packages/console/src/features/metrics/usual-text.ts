import type { MetricUsual } from '@bey/contract'
import { formatNumber } from '../../lib/format.ts'
import { shortTime, wallTime } from '../../ui/time-text.ts'

const hourMs = 3_600_000
const days = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']

type Format = (value: number) => string

/** What the newest value is among those of the weeks before, in two sentences. */
export function usualText({ newest, measuredWeeks }: MetricUsual, format: Format, weeks: number): string {
  if (newest === null) {
    return measuredWeeks === 0
      ? 'There is nothing to compare with: none of the weeks before was measured.'
      : `There is too little to compare with at this hour: ${measuredWeeks} of the ${weeks} weeks before ${measuredWeeks === 1 ? 'was' : 'were'} measured.`
  }
  const { value, usual } = newest
  const past = newest.weeks.filter((each) => each !== null)
  const from = format(Math.min(...past))
  const to = format(Math.max(...past))
  const then = past.length === 0 ? '' : `The last ${hoursText(newest.at, past.length)} ${lay(from, to)}. `
  if (!newest.isUnusual) return `${then}${format(value)} is usual.`
  const away =
    usual.deviation === 0 ? undefined : Math.round(Math.abs(value - usual.median) / usual.deviation)
  const distance = away === undefined ? '' : `, ${formatNumber(away)} deviations away`
  return `${then}${format(value)} lies ${value > usual.high ? 'above' : 'below'} what is usual${distance}.`
}

const lay = (from: string, to: string) => (from === to ? `were at ${to}` : `lay between ${from} and ${to}`)

/** "4 Tuesdays at 08:00": the hour, which the weeks before are averages of. */
function hoursText(at: string, count: number): string {
  const hour = new Date(Math.floor(Date.parse(at) / hourMs) * hourMs)
  const { year, month, day } = wallTime(hour)
  const name = days[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? ''
  return `${count} ${count === 1 ? name.slice(0, -1) : name} from ${shortTime(hour)}`
}

/** The band at each time of a chart: between the middles of two hours it goes from one to the other. */
export function bandAt(hours: MetricUsual['hours'], times: readonly number[]) {
  const first = Date.parse(hours[0]?.from ?? '')
  const edge = (of: 'low' | 'high') =>
    times.map((time) => {
      const place = (time - first) / hourMs - 0.5
      const before = Math.max(0, Math.min(hours.length - 1, Math.floor(place)))
      const after = Math.min(hours.length - 1, before + 1)
      const [a, b] = [hours[before]?.usual, hours[after]?.usual]
      if (!a || !b) return (a ?? b)?.[of] ?? null
      return a[of] + (b[of] - a[of]) * Math.max(0, Math.min(1, place - before))
    })
  return { low: edge('low'), high: edge('high') }
}
