import { AppError } from '../../errors.ts'
import type { ReadRange } from '../read.ts'
import type { SeriesLabels } from '../promql/reader.ts'
import { type Json, listOf, objectOf, textOf, textsOf } from './json.ts'

export type PrometheusRequest = {
  /** From `/api/v1` on. */
  path: string
  parameters: readonly (readonly [name: string, value: string])[]
  /** Whether the parameters go into the body of a POST: expressions can be longer than an address. */
  isForm: boolean
}

/** Parameters as a query or a form. */
export const parametersText = (parameters: PrometheusRequest['parameters']): string =>
  new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()

/** Sends a request and answers whatever status comes. Throws AppError `source_unreachable` where none does. */
export type AskPrometheus = (request: PrometheusRequest) => Promise<{ status: number; text: string }>

export type PrometheusSeries = { labels: SeriesLabels; values: (number | null)[] }
type Answer = { data: unknown; warnings: string[] }

/**
 * The HTTP API of Prometheus (https://prometheus.io/docs/prometheus/latest/querying/api/). `name` begins the sentences of
 * its errors: AppError `invalid_request` for what the store says is wrong with an expression, `source_unreachable` for
 * everything else that is not an answer.
 */
export function prometheusClient(name: string, ask: AskPrometheus) {
  async function call(
    path: string,
    parameters: PrometheusRequest['parameters'],
    isForm: boolean,
  ): Promise<Answer> {
    const { status, text } = await ask({ path: `/api/v1/${path}`, parameters, isForm })
    const body = parsed(text)
    if (status === 200 && body['status'] === 'success') {
      const warnings = [...textsOf(body['warnings']), ...textsOf(body['infos'])]
      return { data: body['data'], warnings: warnings.slice(0, 20).map((each) => each.slice(0, 500)) }
    }
    throw failureOf(name, status, body)
  }

  return {
    /** Throws unless it answers a query as Prometheus does. */
    async check(): Promise<void> {
      const { data } = await call('query', [['query', 'vector(1)']], true)
      if (objectOf(data)['resultType'] !== 'vector') throw notPrometheus(name)
    },

    /** Values at the beginning of each step of the range. */
    async queryRange(
      expr: string,
      range: ReadRange,
    ): Promise<{ series: PrometheusSeries[]; warnings: string[] }> {
      const { fromMs, toMs, stepMs } = range
      const { data, warnings } = await call(
        'query_range',
        [
          ['query', expr],
          ['start', secondsText(fromMs)],
          ['end', secondsText(toMs - stepMs)],
          ['step', secondsText(stepMs)],
        ],
        true,
      )
      const { resultType, result } = objectOf(data)
      if (resultType !== 'matrix') throw notPrometheus(name)
      return { series: listOf(result).map((each) => seriesOf(each, range)), warnings }
    },

    /** Label sets of the series that match any selector since a time. */
    async series(selectors: readonly string[], sinceMs: number, limit: number): Promise<SeriesLabels[]> {
      const { data } = await call(
        'series',
        [
          ...selectors.map((each) => ['match[]', each] as const),
          ['start', secondsText(sinceMs)],
          ['limit', String(limit)],
        ],
        true,
      )
      return listOf(data).map(labelsOf)
    },

    async metricNames(): Promise<string[]> {
      const { data } = await call('label/__name__/values', [], false)
      return textsOf(data)
    },

    /** Type and help of each metric; empty where the store has none. */
    async metadata(): Promise<Map<string, { type: string | null; meaning: string | null }>> {
      const { data } = await call('metadata', [['limit_per_metric', '1']], false).catch(() => ({ data: {} }))
      return new Map(
        Object.entries(objectOf(data)).flatMap(([metric, entries]) => {
          const [first] = listOf(entries)
          if (first === undefined) return []
          const entry = objectOf(first)
          return [[metric, { type: textOf(entry['type']), meaning: textOf(entry['help']) }] as const]
        }),
      )
    },
  }
}

export type PrometheusClient = ReturnType<typeof prometheusClient>

const secondsText = (ms: number) => String(ms / 1_000)

function labelsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([label, text]) =>
      typeof text === 'string' ? [[label, text] as const] : [],
    ),
  )
}

function seriesOf(value: unknown, { fromMs, toMs, stepMs }: ReadRange): PrometheusSeries {
  const { metric, values } = objectOf(value)
  const points = Array.from({ length: Math.round((toMs - fromMs) / stepMs) }, (): number | null => null)
  for (const point of Array.isArray(values) ? (values as unknown[]) : []) {
    const [seconds, text] = Array.isArray(point) ? (point as unknown[]) : []
    if (typeof seconds !== 'number' || typeof text !== 'string') continue
    const place = Math.round((seconds * 1_000 - fromMs) / stepMs)
    if (place >= 0 && place < points.length) points[place] = numberOf(text)
  }
  return { labels: labelsOf(metric), values: points }
}

/** Numbers as Prometheus writes them: `+Inf`, `-Inf` and `NaN` among them. */
function numberOf(text: string): number {
  if (text === '+Inf' || text === 'Inf') return Infinity
  return text === '-Inf' ? -Infinity : Number(text)
}

function parsed(text: string): Json {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return {}
  }
}

const notPrometheus = (name: string) =>
  new AppError(
    'source_unreachable',
    `${name} answered, but not as the HTTP API of Prometheus does. Check the address and its path.`,
  )

function failureOf(name: string, status: number, body: Json): AppError {
  // An API server of Kubernetes answers with a Status where a service is missing or has no endpoint.
  const said = (textOf(body['error']) ?? (body['kind'] === 'Status' ? textOf(body['message']) : null))?.slice(
    0,
    500,
  )
  const unreachable = (sentence: string) => new AppError('source_unreachable', `${name} ${sentence}`)
  if (status === 401) return unreachable('does not accept the credentials (401). Choose the right secret.')
  if (status === 403) return unreachable('does not permit this to the credentials (403).')
  if (status >= 300 && status < 400) {
    return unreachable(`redirects to another address (${status}). Enter that address instead.`)
  }
  // `execution` and `timeout` are said of the expression as well: https://prometheus.io/docs/prometheus/latest/querying/api/#format-overview
  const isAboutQuery = body['status'] === 'error' && (status === 400 || status === 422)
  if (isAboutQuery && said !== undefined) return new AppError('invalid_request', `${name}: ${said}`)
  if (said !== undefined) return unreachable(`answered ${status}: ${said}`)
  if (status >= 500) return unreachable(`answered with status ${status}. Look at its log.`)
  return notPrometheus(name)
}
