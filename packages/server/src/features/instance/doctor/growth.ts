import type { InstanceLimit } from '@bey/contract'

/** The highest value of a day. */
export type DailyValue = { day: Date; value: number }

/** Fewer days say too little about growth. */
const leastDays = 7
const dayMs = 24 * 3_600_000
const monthDays = 30

/** The growth of a limit by its days, by least squares; null while there is not enough history. */
export function growthOf(
  days: readonly DailyValue[],
  now: number,
  of: number,
): Pick<InstanceLimit, 'growthPerMonth' | 'daysLeft' | 'historyDays'> {
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined)
    return { growthPerMonth: null, daysLeft: null, historyDays: 0 }
  const historyDays = Math.round((last.day.getTime() - first.day.getTime()) / dayMs)
  if (historyDays < leastDays || days.length < leastDays) {
    return { growthPerMonth: null, daysLeft: null, historyDays }
  }
  const points = days.map(({ day, value }) => ({
    x: (day.getTime() - first.day.getTime()) / dayMs,
    y: value,
  }))
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    points.reduce((total, point) => total + pick(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const spread = mean((point) => (point.x - x) ** 2)
  const perDay = spread === 0 ? 0 : mean((point) => (point.x - x) * (point.y - y)) / spread
  const daysLeft = perDay > 0 ? Math.max(0, (of - now) / perDay) : null
  return { growthPerMonth: perDay * monthDays, daysLeft, historyDays }
}
