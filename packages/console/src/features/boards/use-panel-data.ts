import type { BoardCompare, BoardPanel, BoardValues, CallOutput } from '@bey/contract'
import { filledExpression, seriesLabel } from '@bey/contract'
import { useMetricQueries } from '../../data/boards.ts'
import type { ChartRange } from '../../ui/chart/chart-types.ts'

/** What all panels of a board share. */
export interface BoardView {
  values: BoardValues
  rangeSeconds: number
  /** RFC 3339; now by default, and then it moves on. */
  end: string | undefined
  compare: BoardCompare
}

export interface PanelSeries {
  name: string
  values: readonly (number | null)[]
  /** The same steps a day or a week before. */
  before: readonly (number | null)[] | undefined
}

export interface PanelData {
  times: number[]
  range: ChartRange
  series: PanelSeries[]
  /** Series of the expression, shown or not. */
  seriesCount: number
  unit: CallOutput<'metrics.query'>['unit']
  warnings: string[]
  /** How long the answer took in the browser's eyes, and how many values it has. */
  durationMs: number | undefined
  points: number
}

type Answer = CallOutput<'metrics.query'>

const offsets = { none: 0, day: 86_400_000, week: 604_800_000 } as const

/** What a panel shows. Nothing is asked before `isSeen`. */
export function usePanelData(panel: BoardPanel, view: BoardView, isSeen: boolean) {
  const { values, rangeSeconds, end, compare } = view
  const asked = panel.kind === 'text' ? [] : panel.queries.filter(({ expr }) => expr !== '')
  const now = useMetricQueries(
    asked.map(({ expr }) => ({
      expr: filledExpression(expr, values),
      range: rangeSeconds,
      ...(end !== undefined && { end }),
    })),
    isSeen,
  )
  const [first] = now.answers
  const offset = offsets[compare]
  const hasBefore = offset > 0 && panel.kind !== 'heatmap' && panel.kind !== 'history'
  const before = useMetricQueries(
    first && hasBefore
      ? asked.map(({ expr }) => ({
          expr: filledExpression(expr, values),
          range: rangeSeconds,
          end: new Date(Date.parse(first.to) - 1 - offset).toISOString(),
        }))
      : [],
    isSeen,
  )
  const legends = asked.map(({ legend }) => legend)
  return {
    data:
      first && now.isComplete
        ? panelData(now.answers, before.answers, legends, offset, now.durationMs)
        : undefined,
    error: now.error,
    isFetching: now.isFetching,
    refetch: now.refetch,
    hasQueries: asked.length > 0,
  }
}

function panelData(
  answers: readonly Answer[],
  before: readonly Answer[],
  legends: readonly string[],
  offset: number,
  durationMs: number | undefined,
): PanelData | undefined {
  const [first] = answers
  if (!first) return undefined
  const fromMs = Date.parse(first.from)
  const steps = Math.round((Date.parse(first.to) - fromMs) / first.stepMs)
  const times = Array.from({ length: steps }, (_, index) => fromMs + index * first.stepMs)
  const series = answers.flatMap((answer, place) =>
    answer.series.map((each) => {
      const key = keyOf(each)
      const past = before[place]
      const old = past?.series.find((other) => keyOf(other) === key)
      return {
        name: seriesLabel(legends[place] ?? '', each),
        values: answer === first ? each.values : resampled(answer, each.values, times, 0),
        before: past && old ? resampled(past, old.values, times, offset) : undefined,
      }
    }),
  )
  return {
    times,
    range: { fromMs, toMs: Date.parse(first.to) },
    series: unique(series),
    seriesCount: answers.reduce((sum, { seriesCount }) => sum + seriesCount, 0),
    unit: first.unit,
    warnings: answers.flatMap(({ warnings }) => warnings),
    durationMs,
    points: series.reduce((sum, { values }) => sum + values.filter((value) => value !== null).length, 0),
  }
}

const keyOf = ({ name, labels }: Answer['series'][number]) =>
  JSON.stringify([name, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))])

/** Values of another grid at these times, `offset` ms later: long ago only longer steps are stored. */
function resampled(
  { from, stepMs }: Pick<Answer, 'from' | 'stepMs'>,
  values: readonly (number | null)[],
  times: readonly number[],
  offset: number,
): (number | null)[] {
  const fromMs = Date.parse(from)
  return times.map((at) => values[Math.floor((at - offset - fromMs) / stepMs)] ?? null)
}

/** Names of series are keys on screen: equal ones are numbered. */
function unique(series: readonly PanelSeries[]): PanelSeries[] {
  const seen = new Map<string, number>()
  return series.map((each) => {
    const count = (seen.get(each.name) ?? 0) + 1
    seen.set(each.name, count)
    return count === 1 ? each : { ...each, name: `${each.name} (${count})` }
  })
}
