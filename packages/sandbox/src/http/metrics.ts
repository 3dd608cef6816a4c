import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Cluster } from '../api/context.ts'
import { isTrue } from '../api/request.ts'
import { verbOf } from '../api/verb.ts'
import { parseResourcePath } from './request-info.ts'

/** The media type of the text format of Prometheus. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Record<string, string>
type Sample = { labels: Labels; value: number }

const verbs: Record<string, string> = { create: 'POST', update: 'PUT' }

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll(/["\\\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`))}"`,
  )
  return parts.length > 0 ? `{${parts.join(',')}}` : ''
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

const one = (value: number): Sample[] => [{ labels: {}, value }]

/** Samples distinguished by their labels, which come in one order. */
class Tally {
  readonly #samples = new Map<string, Sample>()

  add(labels: Labels, amount: number): void {
    const key = Object.values(labels).join('\n')
    const sample = this.#samples.get(key)
    if (sample) sample.value += amount
    else this.#samples.set(key, { labels, value: amount })
  }

  list(): Sample[] {
    return [...this.#samples.values()]
  }
}

/** Counts what one sandbox is asked, under the names that an API server's figures have. */
export class Metrics {
  readonly #cluster: Cluster
  readonly #requests = new Tally()
  readonly #seconds = new Tally()
  readonly #running = new Tally()
  readonly #startedSeconds = Date.now() / 1000 - process.uptime()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** Counts a request when its answer has ended, and a watch also while it lasts. */
  observe(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const startMs = performance.now()
    const labels = this.#labelsOf(request, url)
    const isLong = labels['verb'] === 'WATCH' || isTrue(url.searchParams, 'follow')
    if (isLong) this.#running.add(labels, 1)
    response.once('close', () => {
      if (isLong) this.#running.add(labels, -1)
      else this.#seconds.add(labels, (performance.now() - startMs) / 1000)
      this.#requests.add({ ...labels, code: String(response.statusCode) }, 1)
    })
  }

  #labelsOf({ method = 'GET' }: IncomingMessage, url: URL): Labels {
    const path = parseResourcePath(url.pathname)
    // Only kinds that exist make figures: anyone who guesses names must not fill the memory with them.
    const kind = path && this.#cluster.registry.at(path.group, path.version, path.resource)
    const verb = (path && kind && verbOf(method, path, url.searchParams)) ?? ''
    const below = path?.subresource ?? ''
    const isBelow = kind?.subresources?.some((known) => known.name === below) === true
    return {
      component: 'apiserver',
      group: kind?.group ?? '',
      resource: kind?.resource ?? '',
      scope: !kind ? '' : path?.name ? 'resource' : path?.namespace ? 'namespace' : 'cluster',
      subresource: isBelow || below === 'status' || below === 'scale' ? below : '',
      verb: kind
        ? (verbs[verb] ?? verb.toUpperCase())
        : ['GET', 'HEAD', 'POST'].includes(method)
          ? method
          : 'OTHER',
      version: kind?.version ?? '',
    }
  }

  /** All figures in the text format of Prometheus. */
  text(): string {
    const { store, version } = this.#cluster
    const { user, system } = process.cpuUsage()
    const memory = process.memoryUsage()
    const objects = store
      .kinds()
      .toSorted()
      .map((kind) => ({ labels: { resource: kind }, value: store.count(kind) }))
    return [
      family('up', 'gauge', 'Whether this server answers.', one(1)),
      family('kubernetes_build_info', 'gauge', 'The version that is served.', [
        { labels: { git_version: version }, value: 1 },
      ]),
      family('apiserver_request_total', 'counter', 'Requests answered.', this.#requests.list()),
      family(
        'apiserver_request_duration_seconds_sum',
        'counter',
        'Time from request to end of answer, without watches.',
        this.#seconds.list(),
      ),
      family(
        'apiserver_longrunning_requests',
        'gauge',
        'Watches and followed logs that are open.',
        this.#running.list(),
      ),
      family('apiserver_storage_objects', 'gauge', 'Objects kept, by kind.', objects),
      family('process_resident_memory_bytes', 'gauge', 'Memory of this process.', one(memory.rss)),
      family('process_heap_bytes', 'gauge', 'Memory of that for objects.', one(memory.heapUsed)),
      family(
        'process_cpu_seconds_total',
        'counter',
        'Time that this process has computed.',
        one((user + system) / 1e6),
      ),
      family(
        'process_start_time_seconds',
        'gauge',
        'When this process started, since 1970.',
        one(this.#startedSeconds),
      ),
    ].join('')
  }
}
