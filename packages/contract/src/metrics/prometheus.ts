import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'

const path = '/api/prometheus/api/v1'
/** Clients send parameters of their own, such as `timeout`, `stats` or `dedup`. */
const anyQuery = { query: z.looseObject({}), takesAnyQuery: true, alsoAnswers: [400, 422] } as const
const reply = { mediaType: 'application/json' } as const
const byForm = { takesBytes: true, withoutIdempotencyKey: 'A query changes nothing.', outdates: [] } as const
const access = 'analytics.read'

/** The HTTP API of Prometheus over the metrics of the organization, with the bodies and errors of Prometheus. */
export const prometheusEndpoints = {
  'prometheus.query': endpoint({
    method: 'GET',
    path: `${path}/query`,
    summary: 'Prometheus HTTP API: evaluate an expression at one time',
    access,
    ...anyQuery,
    response: reply,
  }),
  'prometheus.queryByForm': endpoint({
    method: 'POST',
    path: `${path}/query`,
    summary: 'Prometheus HTTP API: evaluate an expression at one time, parameters as a form',
    access,
    ...anyQuery,
    ...byForm,
    response: reply,
  }),
  'prometheus.queryRange': endpoint({
    method: 'GET',
    path: `${path}/query_range`,
    summary: 'Prometheus HTTP API: evaluate an expression over a range of time',
    access,
    ...anyQuery,
    response: reply,
  }),
  'prometheus.queryRangeByForm': endpoint({
    method: 'POST',
    path: `${path}/query_range`,
    summary: 'Prometheus HTTP API: evaluate an expression over a range of time, parameters as a form',
    access,
    ...anyQuery,
    ...byForm,
    response: reply,
  }),
  'prometheus.labels': endpoint({
    method: 'GET',
    path: `${path}/labels`,
    summary: 'Prometheus HTTP API: list the names of labels',
    access,
    ...anyQuery,
    response: reply,
  }),
  'prometheus.labelsByForm': endpoint({
    method: 'POST',
    path: `${path}/labels`,
    summary: 'Prometheus HTTP API: list the names of labels, parameters as a form',
    access,
    ...anyQuery,
    ...byForm,
    response: reply,
  }),
  'prometheus.labelValues': endpoint({
    method: 'GET',
    path: `${path}/label/{name}/values`,
    summary: 'Prometheus HTTP API: list the values of a label',
    access,
    params: z.object({ name: z.string().min(1).max(200) }),
    ...anyQuery,
    response: reply,
  }),
  'prometheus.series': endpoint({
    method: 'GET',
    path: `${path}/series`,
    summary: 'Prometheus HTTP API: list the series that match',
    access,
    ...anyQuery,
    response: reply,
  }),
  'prometheus.seriesByForm': endpoint({
    method: 'POST',
    path: `${path}/series`,
    summary: 'Prometheus HTTP API: list the series that match, parameters as a form',
    access,
    ...anyQuery,
    ...byForm,
    response: reply,
  }),
  'prometheus.metadata': endpoint({
    method: 'GET',
    path: `${path}/metadata`,
    summary: 'Prometheus HTTP API: meaning and unit of each metric',
    access,
    ...anyQuery,
    response: reply,
  }),
  'prometheus.buildInfo': endpoint({
    method: 'GET',
    path: `${path}/status/buildinfo`,
    summary: 'Prometheus HTTP API: the version that clients adapt to',
    access,
    ...anyQuery,
    response: reply,
  }),
} as const
