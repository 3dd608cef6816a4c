import type { CallOutput } from '@bey/contract'
import { seriesLabel } from '@bey/contract'
import type { ChartRange } from '../../ui/chart/chart-types.ts'

export interface PanelSeries {
  name: string
  values: readonly (number | null)[]
  /** The newest value of the last five minutes: a step of a long range is an average. Null where there is none. */
  now: number | null
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

interface Answers {
  answers: readonly Answer[]
  /** Of the same expressions, with steps that are short enough for the figure of now. */
  latest: readonly Answer[]
  before: readonly Answer[]
  legends: readonly string[]
  /** From `before` to `answers`, in ms. */
  offset: number
  durationMs: number | undefined
}

/** What a panel draws, from the answers to its expressions. */
export function panelData({
  answers,
  latest,
  before,
  legends,
  offset,
  durationMs,
}: Answers): PanelData | undefined {
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
      const newest = latest[place]?.series.find((other) => keyOf(other) === key)
      return {
        name: seriesLabel(legends[place] ?? '', each),
        labels: each.labels,
        values: answer === first ? each.values : resampled(answer, each.values, times, 0),
        now: newest?.values.findLast((value) => value !== null) ?? null,
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

/**
 * Names of series are keys on screen: of equal ones each also says in which labels it differs from the others, and where
 * there is no such label they are numbered.
 */
function unique(series: readonly (PanelSeries & Labelled)[]): PanelSeries[] {
  const equal = Map.groupBy(series, ({ name }) => name)
  const seen = new Map<string, number>()
  return series.map(({ labels, ...each }) => {
    const name = [each.name, ...differing(labels, equal.get(each.name) ?? [])].join(', ')
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { ...each, name: count === 1 ? name : `${name} (${count})` }
  })
}

type Labelled = Pick<Answer['series'][number], 'labels'>

/** Values of the labels in which one of some series of the same name differs from another; ids only where nothing else does. */
function differing(labels: Labelled['labels'], equal: readonly Labelled[]): string[] {
  const found = Object.keys(labels).filter((label) =>
    equal.some((other) => other.labels[label] !== labels[label]),
  )
  const telling = found.filter((label) => label !== 'entity' && label !== 'id')
  return (telling.length > 0 ? telling : found.slice(0, 1)).flatMap((label) => labels[label] || [])
}
