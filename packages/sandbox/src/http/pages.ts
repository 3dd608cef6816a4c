import type { Cluster } from '../api/context.ts'
import type { Handled } from '../api/router.ts'
import { requireAccess } from '../api/router.ts'
import {
  aggregatedDiscovery,
  aggregatedType,
  apiGroup,
  apiGroups,
  apiResources,
  apiVersions,
} from '../discovery/discovery.ts'
import type { OpenApi } from '../discovery/openapi.ts'
import type { JsonObject } from '../json.ts'
import { nodeMetrics, nodeMetricsList, podMetrics, podMetricsList } from '../nodes/usage.ts'
import { methodNotAllowed, pathNotFound } from '../status-error.ts'
import { sendHealth } from './health.ts'
import { decodeParts } from './request-info.ts'
import { sendJson } from './respond.ts'

/** Serves what is no stored resource: version, health, discovery, OpenAPI and the computed metrics. */
export function handlePage(cluster: Cluster, openApi: OpenApi, call: Handled): void {
  const { request, response, url } = call
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed()
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : '/'
  if (path === '/version') return sendJson(response, 200, version(cluster))
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return sendHealth(response, path, url.searchParams)
  if (path === '/openapi/v2' && request.headers.accept?.includes(openApiV2Type))
    return sendOpenApiV2(response)
  if (path.startsWith('/openapi/v3')) return sendOpenApi(openApi, call, path)
  if (path.startsWith('/apis/metrics.k8s.io/v1beta1/')) return sendMetrics(cluster, call, path)
  if (path === '/api' || path === '/apis') {
    const type = aggregatedType(request.headers.accept)
    if (type) return sendJson(response, 200, aggregatedDiscovery(cluster.registry, path, type), type)
    return sendJson(response, 200, path === '/api' ? apiVersions() : apiGroups(cluster.registry))
  }
  const found = discovered(cluster, path)
  if (!found) throw pathNotFound()
  sendJson(response, 200, found)
}

function version({ version: gitVersion, startedAtMs }: Cluster): JsonObject {
  const [, major = '1', minor = '33'] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? []
  return {
    major,
    minor,
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: new Date(startedAtMs).toISOString().slice(0, 19) + 'Z',
    goVersion: '',
    compiler: process.version,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}

function discovered({ registry }: Cluster, path: string): JsonObject | undefined {
  const parts = path.split('/').slice(1)
  if (parts[0] === 'api' && parts.length === 2) return apiResources(registry, '', parts[1] ?? '')
  if (parts[0] !== 'apis') return undefined
  if (parts.length === 2) return apiGroup(registry, parts[1] ?? '')
  return parts.length === 3 ? apiResources(registry, parts[1] ?? '', parts[2] ?? '') : undefined
}

const openApiV2Type = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
// What kubectl asks for is no media type that its own library could read, so a real server answers with a dot.
const openApiV2AnswerType = openApiV2Type.replace('@', '.')

/**
 * A document of version 2 without kinds: `swagger` (field 1) and `info` (2) with its title and version. kubectl reads
 * it, and nothing else will do, before it says that a kind is unknown and before it takes a `List`; all that it wants
 * to know of kinds it then asks of version 3.
 */
const openApiV2 = Buffer.from('\x0a\x032.0\x12\x19\x0a\x0aKubernetes\x12\x0bunversioned', 'latin1')

function sendOpenApiV2(response: Handled['response']): void {
  response.writeHead(200, { 'Content-Type': openApiV2AnswerType, 'Content-Length': openApiV2.length })
  response.end(openApiV2)
}

function sendOpenApi(openApi: OpenApi, { request, response, url }: Handled, path: string): void {
  if (path === '/openapi/v3') return sendJson(response, 200, openApi.index())
  const document = openApi.document(path.slice('/openapi/v3/'.length))
  if (!document) throw pathNotFound()
  const etag = `"${document.hash}"`
  response.setHeader('ETag', etag)
  response.setHeader('Vary', 'Accept')
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304)
    response.end()
    return
  }
  const isHashed = url.searchParams.get('hash') === document.hash
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': isHashed ? 'public, immutable' : 'no-cache, private',
  })
  response.end(document.text)
}

function sendMetrics(cluster: Cluster, { response, url, who }: Handled, path: string): void {
  const parts = decodeParts(path.slice('/apis/metrics.k8s.io/v1beta1/'.length).split('/'))
  if (!parts) throw pathNotFound()
  const isNamespaced = parts[0] === 'namespaces'
  const namespace = isNamespaced ? parts[1] : undefined
  const [resource = '', name = ''] = isNamespaced ? parts.slice(2) : parts
  if ((resource !== 'pods' && resource !== 'nodes') || (resource === 'nodes' && isNamespaced))
    throw pathNotFound()
  const verb = name === '' ? 'list' : 'get'
  requireAccess(cluster, who.user, {
    verb,
    group: 'metrics.k8s.io',
    resource,
    namespace: namespace ?? '',
    name,
  })
  const selector = url.searchParams.get('labelSelector') ?? ''
  if (resource === 'nodes') {
    return sendJson(response, 200, name ? nodeMetrics(cluster, name) : nodeMetricsList(cluster, selector))
  }
  sendJson(
    response,
    200,
    name ? podMetrics(cluster, namespace ?? '', name) : podMetricsList(cluster, namespace, selector),
  )
}
