import { metricDescription } from '@bey/contract'

import type { Matcher } from '../../../platform/metrics/promql/ast.ts'
import type { SeriesLabels } from '../../../platform/metrics/promql/reader.ts'
import type { MetricQueries, QueryCaller } from '../query.ts'
import { bad, limitOf, type Parameters, selectorsOf, timeOf } from './parameters.ts'

const everything: readonly Matcher[] = [{ label: '__name__', operator: '!=', value: '' }]

/** Labels of the series that match one of the selectors; of all series without a selector. */
async function matching(
  queries: MetricQueries,
  caller: QueryCaller,
  parameters: Parameters,
): Promise<SeriesLabels[]> {
  const sinceMs = timeOf(parameters, 'start', 0)
  const selectors = selectorsOf(parameters)
  const found = new Map<string, SeriesLabels>()
  for (const matchers of selectors.length > 0 ? selectors : [everything]) {
    for (const labels of await queries.select(caller, matchers, sinceMs))
      found.set(JSON.stringify(labels), labels)
  }
  return [...found.values()]
}

export async function answerSeries(queries: MetricQueries, caller: QueryCaller, parameters: Parameters) {
  if (!parameters.has('match[]')) throw bad('Send at least one parameter "match[]".')
  return { data: (await matching(queries, caller, parameters)).slice(0, limitOf(parameters)) }
}

export async function answerLabels(queries: MetricQueries, caller: QueryCaller, parameters: Parameters) {
  const series = await matching(queries, caller, parameters)
  const names = new Set(series.flatMap((labels) => Object.keys(labels)))
  return { data: [...names].sort().slice(0, limitOf(parameters)) }
}

export async function answerLabelValues(
  queries: MetricQueries,
  caller: QueryCaller,
  name: string,
  parameters: Parameters,
) {
  const series = await matching(queries, caller, parameters)
  const values = new Set(series.flatMap((labels) => labels[name] ?? []))
  return { data: [...values].sort().slice(0, limitOf(parameters)) }
}

/** Every metric that Bey collects is a gauge. */
export async function answerMetadata(queries: MetricQueries, caller: QueryCaller, parameters: Parameters) {
  const wanted = parameters.get('metric')
  const metrics = await queries.catalog(caller)
  const described = metrics
    .filter(({ name }) => wanted === null || wanted === '' || name === wanted)
    .slice(0, limitOf(parameters))
    .map(({ name }) => {
      const { meaning = '', unit = '' } = metricDescription(name) ?? {}
      return [name, [{ type: 'gauge', help: meaning, unit }]] as const
    })
  return { data: Object.fromEntries(described) }
}

/** The version of Prometheus whose HTTP API is spoken: from it on, labels take `match[]`, by which clients decide. */
export const buildInfo = {
  version: '2.24.0',
  revision: '',
  branch: '',
  buildUser: '',
  buildDate: '',
  goVersion: '',
  application: 'Bey',
}
