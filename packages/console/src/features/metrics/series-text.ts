import type { MetricQueryResult } from '@bey/contract'

type Series = MetricQueryResult['series'][number]

/** Labels that say no more than others do. */
const silent: ReadonlySet<string> = new Set(['entity', 'id'])

/** Names of series by the labels in which they differ; a metric's name, or "value", where there is no label. */
export function seriesNames(series: readonly Series[]): string[] {
  const labels = [...new Set(series.flatMap((each) => Object.keys(each.labels)))].filter(
    (label) => !silent.has(label),
  )
  const differing = labels.filter((label) => new Set(series.map((each) => each.labels[label])).size > 1)
  const shown = differing.length > 0 ? differing : labels.slice(0, 1)
  const names = new Set(series.map(({ name }) => name)).size > 1
  const texts = series.map(({ name, labels: own }) => {
    const values = shown.flatMap((label) => own[label] ?? [])
    const parts = names && name !== null ? [name, ...values] : values
    return parts.length > 0 ? parts.join(' · ') : (name ?? 'value')
  })
  // Two things can have one name; their ids tell them apart.
  return texts.map((text, index) =>
    texts.indexOf(text) === texts.lastIndexOf(text)
      ? text
      : `${text} (${series[index]?.labels['id'] ?? index + 1})`,
  )
}

const cell = (value: string) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
/** Spreadsheets compute what begins with such a character. */
const header = (text: string) => cell(/^[=+\-@\t]/.test(text) ? `'${text}` : text)

/** Times and values as CSV, a column per series (RFC 4180). */
export function seriesCsv({ from, stepMs, series }: MetricQueryResult): string {
  const lines = [['time', ...seriesNames(series)].map(header).join(',')]
  const count = series[0]?.values.length ?? 0
  for (let step = 0; step < count; step += 1) {
    const time = new Date(Date.parse(from) + step * stepMs).toISOString()
    lines.push([time, ...series.map(({ values }) => String(values[step] ?? ''))].join(','))
  }
  return `${lines.join('\r\n')}\r\n`
}

/** The newest value of a series. */
export const newestOf = ({ values }: Series) => values.findLast((value) => value !== null) ?? null

/** Names a series by its labels, as `metrics.usual` reads it. */
export const keyOfSeries = ({ name, labels }: Pick<Series, 'name' | 'labels'>) =>
  JSON.stringify(name === null ? labels : { ...labels, __name__: name })
