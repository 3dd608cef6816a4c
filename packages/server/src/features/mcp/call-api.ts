import type { CallInput, CallOutput, Endpoint, EndpointName } from '@bey/contract'
import { api } from '@bey/contract/api'
import { type ErrorCode, errorTable } from '@bey/contract/base/errors'
import { fromWire, toWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'

type Parts = {
  params?: Record<string, string | number> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}
type Answered = { status: number; text: string; isJson: boolean }

/** The API as one caller reaches it: with their rights, limits and allow-list, and recorded under their name. */
export type CallerApi = {
  /** Calls an endpoint. Throws AppError with the sentence and the code of a refusal. */
  call<N extends EndpointName>(
    name: N,
    input?: CallInput<N>,
    options?: { idempotencyKey?: string },
  ): Promise<CallOutput<N>>
  /** Sends a request to a cluster as kubectl would. Throws AppError with what the cluster said. */
  kubernetes(clusterId: number, request: KubernetesCall): Promise<Record<string, unknown>>
}

type KubernetesCall = {
  method: 'GET' | 'PATCH' | 'DELETE'
  /** Of the API server, with its query: `/api/v1/namespaces/shop/pods/web-1`. */
  path: string
  body?: unknown
  contentType?: string
}

/**
 * Sends requests of a caller through the server's own routes, without a socket: whatever keeps a client in its bounds keeps
 * an assistant in them.
 */
export function callerApi(http: FastifyInstance, caller: TenantCaller): CallerApi {
  async function send(request: InjectOptions & { headers?: Record<string, string> }): Promise<Answered> {
    const { statusCode, body, headers } = await http.inject({
      ...request,
      remoteAddress: caller.ip,
      headers: {
        authorization: `Bearer ${caller.bearer}`,
        'x-organization-id': String(caller.organizationId),
        'x-request-id': caller.requestId,
        'user-agent': caller.userAgent,
        host: caller.host,
        ...request.headers,
      },
    })
    return { status: statusCode, text: body, isJson: /[/+]json\b/.test(String(headers['content-type'])) }
  }

  return {
    async call<N extends EndpointName>(
      name: N,
      input?: CallInput<N>,
      { idempotencyKey }: { idempotencyKey?: string } = {},
    ): Promise<CallOutput<N>> {
      const endpoint: Endpoint = api[name]
      // From here on a call is text. Through unknown: TypeScript would compare the parts with those of every endpoint.
      const parts = (input as unknown as Parts | undefined) ?? {}
      const body = bodyOf(endpoint, parts)
      const answered = await send({
        method: endpoint.method,
        url: addressOf(endpoint, parts),
        ...(body !== undefined && { payload: body }),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
      })
      if (answered.status >= 400) throw refusalOf(answered)
      // What the server serialized by the same contract.
      return replyOf(endpoint, answered) as CallOutput<N>
    },
    async kubernetes(clusterId, { method, path, body, contentType = 'application/json' }) {
      const answered = await send({
        method,
        url: `/api/kubernetes/clusters/${clusterId}/proxy${path}`,
        ...(body !== undefined && { payload: JSON.stringify(body) }),
        headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': contentType }) },
      })
      const value: unknown = answered.isJson ? JSON.parse(answered.text) : {}
      const found = typeof value === 'object' && value !== null ? { ...value } : {}
      if (answered.status >= 400) throw clusterRefusal(answered.status, found)
      return found
    },
  }
}

function addressOf(endpoint: Endpoint, { params, query }: Parts): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(params?.[name])),
  )
  const shape = endpoint.wire && endpoint.query && wireShape(endpoint.query)
  const asked = (shape ? toWire(query ?? {}, shape) : (query ?? {})) as Record<string, unknown>
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(asked)) {
    if (value !== undefined) search.append(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

function bodyOf({ wire, body: schema }: Endpoint, { body }: Parts): string | undefined {
  if (body === undefined) return undefined
  const shape = wire && schema && wireShape(schema)
  return JSON.stringify(shape ? toWire(body, shape) : body)
}

function replyOf({ wire, response }: Endpoint, { status, text, isJson }: Answered): unknown {
  if (status === 204) return null
  if (!(response instanceof z.ZodType) || !isJson) return text
  const value: unknown = JSON.parse(text)
  const shape = wire && wireShape(response)
  return shape ? fromWire(value, shape) : value
}

function refusalOf({ status, text, isJson }: Answered): AppError {
  const problem: unknown = isJson ? JSON.parse(text) : {}
  const field = (name: string): unknown =>
    typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : undefined
  const code = field('code')
  const detail = field('detail')
  const isKnown = typeof code === 'string' && Object.hasOwn(errorTable, code)
  return new AppError(
    // Looked up in the table of codes just now.
    isKnown ? (code as ErrorCode) : 'unavailable',
    typeof detail === 'string' ? detail : `The server answered with the status ${status}.`,
  )
}

/** A Status object of Kubernetes as a sentence. */
function clusterRefusal(status: number, body: Record<string, unknown>): AppError {
  const text = typeof body['message'] === 'string' ? body['message'] : `it answered with the status ${status}`
  const code: ErrorCode =
    status === 404
      ? 'not_found'
      : status === 401 || status === 403
        ? 'forbidden'
        : status === 429
          ? 'rate_limited'
          : status >= 500
            ? 'cluster_unreachable'
            : 'conflict'
  return new AppError(code, `The cluster refused: ${text.replace(/\.?$/, '.')}`)
}
