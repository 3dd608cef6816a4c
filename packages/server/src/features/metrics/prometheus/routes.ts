import type { EndpointName } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { MetricQueries, QueryCaller } from '../query.ts'
import { answerLabels, answerLabelValues, answerMetadata, answerSeries, buildInfo } from './lists.ts'
import { type Parameters, parametersOf } from './parameters.ts'
import { answerInstant, answerRange } from './queries.ts'
import { replyWith } from './replies.ts'

type PrometheusName = Extract<EndpointName, `prometheus.${string}`>
type Work = (
  caller: QueryCaller,
  parameters: Parameters,
) => Promise<{ data: unknown; warnings?: readonly string[] }>

/** The HTTP API of Prometheus. Grafana sends long expressions as forms, so most paths take both methods. */
export function prometheusRoutes(queries: MetricQueries, clock: Clock): Handlers<PrometheusName> {
  const byQuery =
    (work: Work) =>
    ({ caller, query }: { caller: QueryCaller; query: Record<string, unknown> }) =>
      replyWith(() => work(caller, parametersOf(query)))
  const byForm =
    (work: Work) =>
    ({ caller, query, bytes }: { caller: QueryCaller; query: Record<string, unknown>; bytes: Buffer }) =>
      replyWith(async () => work(caller, parametersOf(query, bytes)))
  const instant: Work = (caller, parameters) =>
    answerInstant(queries, caller, parameters, clock.now().getTime())
  const range: Work = (caller, parameters) => answerRange(queries, caller, parameters)
  const labels: Work = (caller, parameters) => answerLabels(queries, caller, parameters)
  const series: Work = (caller, parameters) => answerSeries(queries, caller, parameters)
  return {
    'prometheus.query': byQuery(instant),
    'prometheus.queryByForm': byForm(instant),
    'prometheus.queryRange': byQuery(range),
    'prometheus.queryRangeByForm': byForm(range),
    'prometheus.labels': byQuery(labels),
    'prometheus.labelsByForm': byForm(labels),
    'prometheus.labelValues': ({ caller, params, query }) =>
      replyWith(async () => answerLabelValues(queries, caller, params.name, parametersOf(query))),
    'prometheus.series': byQuery(series),
    'prometheus.seriesByForm': byForm(series),
    'prometheus.metadata': byQuery((caller, parameters) => answerMetadata(queries, caller, parameters)),
    'prometheus.buildInfo': () => replyWith(async () => ({ data: buildInfo })),
  }
}
