import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { numberText } from '../platform/metrics/promql/aggregate.ts'
import { evaluatePromql } from '../platform/metrics/promql/evaluate.ts'
import { labelsKey, withoutName } from '../platform/metrics/promql/values.ts'
import { compileMatcher } from '../platform/metrics/promql/matchers.ts'
import { parsePromql } from '../platform/metrics/promql/parse.ts'
import type { SeriesReader } from '../platform/metrics/promql/reader.ts'
import type { ReadRange } from '../platform/metrics/read.ts'
import { type ReceivedSeries, readWriteRequest } from './remote-write-reader.ts'

/** For so long before a moment a sample counts as the value then, as in Prometheus. */
const lookbackMs = 300_000

type Scripted = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => boolean | Promise<boolean>

/**
 * A store that speaks the HTTP API of Prometheus and takes samples by remote write, with Bey's own evaluator behind.
 * `first` may answer instead: it says whether it did.
 */
export async function prometheusServer(first: Scripted = () => false) {
  const stored = new Map<string, ReceivedSeries>()
  const requests: { path: string; authorization: string | undefined; query: string | null }[] = []

  function add(received: readonly ReceivedSeries[]): void {
    for (const { labels, samples } of received) {
      const key = labelsKey(labels)
      const known = stored.get(key)
      if (known) known.samples.push(...samples)
      else stored.set(key, { labels, samples: [...samples] })
    }
  }

  const reader: SeriesReader<ReceivedSeries> = {
    async select(matchers) {
      const tests = matchers.map((matcher) => ({ label: matcher.label, fits: compileMatcher(matcher) }))
      return [...stored.values()]
        .filter(({ labels }) => tests.every(({ label, fits }) => fits(labels[label] ?? '')))
        .map((series) => ({ labels: series.labels, ref: series }))
    },
    async read(series, range) {
      return series.map(({ ref }) => timesOf(range).map((atMs) => lastOf(ref, atMs)))
    },
    finestStepMs: () => 15_000,
  }

  /** `avg_over_time(…[60s])` as Prometheus evaluates it: samples after `at - window`, up to `at`. */
  async function overTime(expr: string, range: ReadRange) {
    const found = /^(avg|max)_over_time\((.+)\[(\d+)s\]\)$/s.exec(expr)
    if (!found) return undefined
    const [, operator, selector = '', seconds] = found
    const parsed = parsePromql(selector)
    if (parsed.kind !== 'selector') return undefined
    const windowMs = Number(seconds) * 1_000
    const all = await reader.select(parsed.matchers, 0)
    return all.map(({ ref, labels }) => ({
      labels: withoutName(labels),
      values: timesOf(range).map((atMs) => {
        const values = ref.samples
          .filter((each) => each.atMs > atMs - windowMs && each.atMs <= atMs)
          .map(({ value }) => value)
        if (values.length === 0) return null
        if (operator === 'max') return Math.max(...values)
        return values.reduce((sum, value) => sum + value, 0) / values.length
      }),
    }))
  }

  async function answer(url: URL, body: string): Promise<object> {
    const parameters = new URLSearchParams(body === '' ? url.search : body)
    const seconds = (name: string) => Number(parameters.get(name)) * 1_000
    const path = url.pathname.replace('/api/v1/', '')
    const expr = parameters.get('query') ?? ''
    requests.push({ path, authorization: undefined, query: expr })
    if (path === 'query' && expr === 'vector(1)') {
      return { resultType: 'vector', result: [{ metric: {}, value: [0, '1'] }] }
    }
    if (path === 'query_range') {
      const stepMs = seconds('step')
      const range = { fromMs: seconds('start'), toMs: seconds('end') + stepMs, stepMs }
      const series =
        (await overTime(expr, range)) ??
        (await evaluatePromql(reader, parsePromql(expr), range, range.toMs)).series
      const result = series.map(({ labels, values }) => ({
        metric: labels,
        values: values.flatMap((value, index) =>
          value === null ? [] : [[(range.fromMs + index * stepMs) / 1_000, numberText(value)]],
        ),
      }))
      return { resultType: 'matrix', result }
    }
    if (path === 'series') {
      const found = await Promise.all(
        parameters.getAll('match[]').map(async (selector) => {
          const parsed = parsePromql(selector)
          return parsed.kind === 'selector' ? reader.select(parsed.matchers, 0) : []
        }),
      )
      return found.flat().map(({ labels }) => labels)
    }
    if (path === 'label/__name__/values') {
      return [...new Set([...stored.values()].map(({ labels }) => labels['__name__'] ?? ''))].toSorted()
    }
    if (path === 'metadata') return {}
    throw new Error(`no such path: ${path}`)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (await first(request, response, body.toString('utf8'))) return
    const url = new URL(request.url ?? '/', 'http://localhost')
    response.setHeader('content-type', 'application/json')
    try {
      if (url.pathname === '/api/v1/write') {
        add(readWriteRequest(body))
        response.writeHead(204).end()
        return
      }
      const data = await answer(url, body.toString('utf8'))
      const last = requests.at(-1)
      if (last) last.authorization = request.headers.authorization
      response.end(JSON.stringify({ status: 'success', data }))
    } catch (error) {
      response.statusCode = 400
      response.end(
        JSON.stringify({
          status: 'error',
          errorType: 'bad_data',
          error: error instanceof Error ? error.message : '',
        }),
      )
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has one.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stored,
    add,
    /** Lets the process end while it still listens. */
    unref: () => void server.unref(),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type PrometheusServer = Awaited<ReturnType<typeof prometheusServer>>

const timesOf = ({ fromMs, toMs, stepMs }: ReadRange) =>
  Array.from({ length: Math.round((toMs - fromMs) / stepMs) }, (_, index) => fromMs + index * stepMs)

function lastOf({ samples }: ReceivedSeries, atMs: number): number | null {
  return samples.findLast((each) => each.atMs <= atMs && each.atMs > atMs - lookbackMs)?.value ?? null
}
