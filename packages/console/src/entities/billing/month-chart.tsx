import type { Budget, Spend } from '../../data/billing.ts'
import { useWidth } from '../../ui/use-width.ts'
import { axisMoneyText, moneyText, monthText } from './money.ts'
import { type Point, sumsOf, ticksOf } from './month-scale.ts'

const top = 18
const bottom = 24

export interface MonthChartProps {
  spend: Spend
  /** The budget of what is shown, in the same currency. */
  budget: Budget | undefined
  isByDay: boolean
  /** Beside other things: half as high. */
  isLow?: boolean
}

/** The month: its sum with the forecast as a fan, last month, the budget and its thresholds; or each day. */
export function MonthChart(props: MonthChartProps) {
  const [box, width] = useWidth()
  const height = props.isLow ? 150 : width < 480 ? 180 : 292
  return (
    <div ref={box} style={{ minHeight: height }}>
      {width > 0 ? <Drawing {...props} width={width} height={height} /> : null}
    </div>
  )
}

function Drawing({
  spend,
  budget,
  isByDay,
  width,
  height,
}: MonthChartProps & { width: number; height: number }) {
  const { currency, forecast } = spend
  const isNarrow = width < 480
  const left = isNarrow ? 40 : 56
  // Beside the lines stand their names; bars have none.
  const right = isByDay ? 8 : isNarrow ? 84 : 104
  const now = isByDay ? [] : sumsOf(spend.days)
  const before = isByDay ? [] : sumsOf(spend.lastMonthDays)
  const coming = isByDay || forecast.state !== 'ready' ? [] : forecast.days
  const count = Math.max(spend.days.length + Math.max(0, coming.length - 1), spend.lastMonthDays.length, 28)
  const amounts = isByDay
    ? [...spend.days, ...spend.lastMonthDays].map(({ amount }) => Number(amount))
    : [
        ...now,
        ...before,
        ...coming.map(({ high }) => Number(high)),
        ...(budget ? [Number(budget.amount)] : []),
      ]
  const { most, ticks } = ticksOf(Math.max(...amounts, 0))
  const end = width - right
  const x = (day: number) => left + (day / count) * (end - left)
  const y = (value: number) => top + (1 - value / most) * (height - top - bottom)
  const line = (points: readonly Point[]) =>
    points
      .map(([day, value], index) => `${index === 0 ? 'M' : 'L'}${x(day).toFixed(1)} ${y(value).toFixed(1)}`)
      .join('')
  const sums: Point[] = [[0, 0], ...now.map((value, index): Point => [index + 1, value])]
  const lastPoint = sums.at(-1) ?? [0, 0]
  const fan = (of: 'low' | 'high' | 'amount'): Point[] => [
    lastPoint,
    ...coming.map((day): Point => [Number(day.date.slice(8)), Number(day[of])]),
  ]
  const name = monthText(spend.month.month)
  const axis = (value: number) => axisMoneyText(value, currency, ticks[1] ?? 0, isNarrow)
  const bar = (end - left) / count
  const endValue = coming.at(-1)
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
      role="img"
      aria-label={`Spend of ${name}: ${moneyText(spend.total, currency)} so far${endValue ? `, about ${moneyText(endValue.amount, currency, 0)} at its end` : ''}`}
      width={width}
      height={height}
      className="block tabular-nums"
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={end} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={left - 6} y={y(tick) + 4} textAnchor="end" className="fill-text-2 text-meta">
            {axis(tick)}
          </text>
        </g>
      ))}
      {[1, 6, 11, 16, 21, 26].map((day) => (
        <text key={day} x={x(day - 0.5)} y={height - 6} textAnchor="middle" className="fill-text-2 text-meta">
          {day}
        </text>
      ))}
      {isByDay
        ? spend.days.map(({ date, amount }, index) => (
            <rect
              key={date}
              x={x(index) + 1}
              y={y(Math.max(0, Number(amount)))}
              width={Math.max(1, bar - 2)}
              height={Math.max(1, height - bottom - y(Math.max(0, Number(amount))))}
              className="fill-chart-1"
            >
              <title>{`${date}: ${moneyText(amount, currency)}`}</title>
            </rect>
          ))
        : null}
      {isByDay ? null : (
        <>
          <path
            d={line([[0, 0], ...before.map((value, index): Point => [index + 1, value])])}
            fill="none"
            className="stroke-control"
          />
          <path
            d={`${line(sums)}L${x(lastPoint[0])} ${y(0)}L${x(0)} ${y(0)}Z`}
            className="fill-chart-1 opacity-10"
          />
          {coming.length > 0 ? (
            <>
              <path
                d={`${line(fan('high'))}${line(fan('low').toReversed()).replace('M', 'L')}Z`}
                className="fill-chart-1 opacity-20"
              />
              <path
                d={line(fan('amount'))}
                fill="none"
                strokeWidth={1.5}
                strokeDasharray="3 3"
                className="stroke-chart-1"
              />
            </>
          ) : null}
          <path d={line(sums)} fill="none" strokeWidth={1.5} className="stroke-chart-1" />
          <circle cx={x(lastPoint[0])} cy={y(lastPoint[1])} r={3} className="fill-chart-1" />
          <SavingMarks {...{ spend, sums, x, y, bottomY: height - bottom }} />
          {budget ? <BudgetMarks {...{ budget, currency, left, end, x, y }} /> : null}
        </>
      )}
      <EndText {...{ spend, endValue, end, y, isByDay, last: before.at(-1) }} />
    </svg>
  )
}

interface BudgetMarksProps {
  budget: Budget
  currency: string
  left: number
  end: number
  x: (day: number) => number
  y: (value: number) => number
}

function BudgetMarks({ budget, currency, left, end, x, y }: BudgetMarksProps) {
  const amount = Number(budget.amount)
  return (
    <>
      <line x1={left} x2={end} y1={y(amount)} y2={y(amount)} strokeDasharray="4 3" className="stroke-warn" />
      <text x={left + 4} y={y(amount) - 5} className="fill-warn text-meta">
        budget {moneyText(budget.amount, currency, 0)}
      </text>
      {budget.thresholds.map(({ percent, date, isReached }) => (
        <g key={percent}>
          <circle
            cx={x(Number(date.slice(8)))}
            cy={y((amount * percent) / 100)}
            r={2.5}
            strokeWidth={1.5}
            className="fill-bg stroke-warn"
          >
            <title>{`${percent} % ${isReached ? 'was reached' : 'will be reached'} on ${date}`}</title>
          </circle>
          {percent === 100 ? null : (
            <text
              x={x(Number(date.slice(8))) - 6}
              y={y((amount * percent) / 100) - 6}
              textAnchor="end"
              className="fill-warn text-meta"
            >
              {percent} %
            </text>
          )}
        </g>
      ))}
    </>
  )
}

interface SavingMarksProps {
  spend: Spend
  sums: readonly Point[]
  x: (day: number) => number
  y: (value: number) => number
  bottomY: number
}

/** Where a saving was applied, so that the forecast is another one from there on, and where it would have ended without. */
function SavingMarks({ spend, sums, x, y, bottomY }: SavingMarksProps) {
  const { forecast, currency } = spend
  if (forecast.state !== 'ready' || forecast.savings.length === 0) return null
  const days = [...Map.groupBy(forecast.savings, ({ date }) => date)]
  const last = sums.at(-1) ?? [0, 0]
  const endDay = Number(forecast.days.at(-1)?.date.slice(8) ?? last[0])
  return (
    <>
      {forecast.withoutSavings === null ? null : (
        <line
          x1={x(last[0])}
          y1={y(last[1])}
          x2={x(endDay)}
          y2={y(Number(forecast.withoutSavings))}
          strokeDasharray="1 3"
          className="stroke-control"
        >
          <title>{`${moneyText(forecast.withoutSavings, currency)} without the applied savings`}</title>
        </line>
      )}
      {days.map(([date, all]) => {
        const at = x(Number(date.slice(8)) - 0.5)
        return (
          <g key={date}>
            <line x1={at} x2={at} y1={top} y2={bottomY} className="stroke-ok" strokeDasharray="2 2" />
            <text x={at - 4} y={top + 8} textAnchor="end" className="fill-ok text-meta">
              {all.length === 1 ? 'saving applied' : `${all.length} savings applied`}
            </text>
            <title>{all.map(({ text }) => text).join(' ')}</title>
          </g>
        )
      })}
    </>
  )
}

interface EndTextProps {
  spend: Spend
  endValue: { amount: string; low: string; high: string } | undefined
  end: number
  y: (value: number) => number
  isByDay: boolean
  last: number | undefined
}

/** The forecast and last month at the right end, kept apart where they would cover each other. */
function EndText({ spend, endValue, end, y, isByDay, last }: EndTextProps) {
  if (isByDay) return null
  const { currency } = spend
  const topY = endValue ? Math.max(12, y(Number(endValue.amount)) - 8) : undefined
  const lastY = last === undefined ? undefined : y(last) + 4
  const shownLastY = lastY !== undefined && topY !== undefined && lastY < topY + 32 ? topY + 32 : lastY
  return (
    <>
      {endValue && topY !== undefined ? (
        <>
          <text x={end + 8} y={topY} className="fill-text text-small font-semibold">
            {moneyText(endValue.amount, currency, 0)}
          </text>
          <text x={end + 8} y={topY + 15} className="fill-text-2 text-meta">
            {moneyText(endValue.low, currency, 0)}–
            {Number(endValue.high).toLocaleString('en', { maximumFractionDigits: 0 })}
          </text>
        </>
      ) : null}
      {last === undefined || last === 0 ? null : (
        <text x={end + 8} y={shownLastY} className="fill-text-2 text-meta">
          {monthText(spend.lastMonth.month).slice(0, 3)} {moneyText(String(last), currency, 0)}
        </text>
      )}
    </>
  )
}
