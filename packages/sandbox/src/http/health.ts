import type { ServerResponse } from 'node:http'
import { pathNotFound } from '../status-error.ts'
import { sendText } from './respond.ts'

const common = [
  'ping',
  'log',
  'etcd',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/aggregator-reload-proxy-client-cert',
  'poststarthook/apiservice-status-available-controller',
  'poststarthook/apiservice-openapiv3-controller',
]

const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: common,
  livez: common,
  readyz: [...common.slice(0, 3), 'etcd-readiness', 'informer-sync', ...common.slice(3), 'shutdown'],
}

/** Answers `/healthz`, `/livez` and `/readyz`, one check below them, and `?verbose` and `?exclude=` as an API server. */
export function sendHealth(response: ServerResponse, path: string, query: URLSearchParams): void {
  const [, page = '', ...rest] = path.split('/')
  const names = checks[page] ?? []
  const only = rest.join('/')
  if (only !== '' && !names.includes(only)) throw pathNotFound()
  const send = (text: string) => sendText(response, 200, text, 'text/plain; charset=utf-8')
  if (only !== '' || !query.has('verbose')) return send('ok')
  const excluded = query.getAll('exclude')
  const lines = names.map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}\n`)
  const unknown = excluded.filter((name) => !names.includes(name)).map((name) => JSON.stringify(name))
  if (unknown.length > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}\n`)
  send(`${lines.join('')}${page} check passed\n`)
}
