import type { ClientRequest, OutgoingHttpHeaders } from 'node:http'
import { currentSpan } from '../../../platform/tracing/tracing.ts'
import { traceparentOf } from '../../../platform/tracing/traceparent.ts'

/** Sends a request to a cluster in a span below the present one, whose ids go with it; as it is where there is none. */
export function tracedCall(
  method: string,
  path: string,
  headers: OutgoingHttpHeaders,
  send: (headers: OutgoingHttpHeaders) => ClientRequest,
): ClientRequest {
  const parent = currentSpan()
  if (parent === undefined) return send(headers)
  const template = templateOf(path)
  const span = parent.tracing.start(`${method} ${template}`, {
    kind: 'client',
    parent,
    attributes: { 'http.request.method': method, 'url.template': template },
  })
  const request = send({ ...headers, traceparent: traceparentOf(span) })
  const isStream = /[?&](watch|follow)=(true|1)/.test(path)
  let status = 0
  let isEnded = false
  const end = () => {
    if (isEnded) return
    isEnded = true
    span.set({ 'http.response.status_code': status || undefined })
    span.end(status === 0 || status >= 500)
  }
  request.on('response', (answer) => {
    status = answer.statusCode ?? 0
    // It goes on for as long as somebody follows.
    if (isStream) end()
  })
  request.on('upgrade', (answer) => {
    status = answer.statusCode ?? 0
    end()
  })
  request.on('close', end)
  return request
}

const words = new Set([
  'api',
  'apis',
  'namespaces',
  'proxy',
  'status',
  'scale',
  'log',
  'exec',
  'attach',
  'portforward',
  'eviction',
  'token',
])

/**
 * A path of the Kubernetes API without the names in it, and without its query:
 * `/api/v1/namespaces/{namespace}/pods/{name}/log`. What follows `proxy` is not the API's and is left out.
 */
export function templateOf(path: string): string {
  const [clean = ''] = path.split('?', 1)
  const parts = clean.split('/').slice(1)
  const [root] = parts
  if (root !== 'api' && root !== 'apis')
    return `/${root !== undefined && /^(version|readyz|livez|healthz|openapi)$/.test(root) ? root : '{path}'}`
  const head = parts.slice(0, root === 'api' ? 2 : 3)
  const rest = parts.slice(head.length)
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2
  const scope = isNamespaced ? ['namespaces', '{namespace}'] : []
  const [resource, name, subresource] = rest.slice(scope.length)
  const known = [
    ...(resource === undefined ? [] : [resource]),
    ...(name === undefined ? [] : ['{name}']),
    ...(subresource === undefined ? [] : [words.has(subresource) ? subresource : '{subresource}']),
  ]
  return `/${[...head, ...scope, ...known].join('/')}`
}
