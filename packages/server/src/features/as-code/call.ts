import { type EndpointName, fromWire, type Problem, routes, toWire } from '@bey/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'

type Parts = {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number>>
  body?: unknown
}

/** Calls an endpoint as the caller, in the names of the contract. Throws AppError with what it answered. */
export type Call = (name: EndpointName, parts?: Parts) => Promise<Record<string, unknown>>

/**
 * Calls other endpoints with the token of a request: access, limits, bounds and audit are theirs, as if the caller had
 * called them. Nothing leaves the process.
 */
export function callAs(http: Pick<FastifyInstance, 'inject'>, caller: TenantCaller): Call {
  return async (name, { params = {}, query = {}, body } = {}) => {
    const { method, path, wire } = routes[name]
    const url = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
    const search = new URLSearchParams()
    for (const [key, value] of Object.entries(query)) search.set(key, String(value))
    const response = await http.inject({
      method,
      url: search.size === 0 ? url : `${url}?${search.toString()}`,
      remoteAddress: caller.ip,
      headers: {
        authorization: `Bearer ${caller.bearer ?? ''}`,
        'x-organization-id': String(caller.organizationId),
        'user-agent': caller.userAgent,
        host: caller.host,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(wire?.body ? toWire(body, wire.body) : body) }),
    })
    if (response.statusCode >= 400) throw errorOf(response.json())
    if (response.body === '') return {}
    // Serialized by the same contract.
    const reply: Record<string, unknown> = response.json()
    return (wire?.response ? fromWire(reply, wire.response) : reply) as Record<string, unknown>
  }
}

function errorOf({ code, detail, title, errors }: Problem): AppError {
  return new AppError(code, detail || title, errors ? { errors } : {})
}
