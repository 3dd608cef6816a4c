import type { EndpointName, Route } from '@bey/contract'
import { routes, toWire } from '@bey/contract'

/** The parts of a call as its caller gives them, in the names of the contract. */
export type Parts = {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

/**
 * Path and query of a call, in the names of the wire. A `*` of the path takes `params['*']`, whose slashes stay.
 * Throws RangeError where a path parameter is missing.
 */
export function addressOf(name: EndpointName, parts: Parts): string {
  const route = routes[name]
  return (
    route.path.replace(/\{(\w+)\}|\*$/g, (_, param?: string) => segmentOf(name, param, parts)) +
    queryOf(route, parts)
  )
}

function segmentOf(name: EndpointName, param: string | undefined, { params }: Parts): string {
  const value = params?.[param ?? '*']
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new RangeError(`${name} needs the path parameter "${param ?? '*'}".`)
  }
  if (param !== undefined) return encodeURIComponent(value)
  return String(value).split('/').map(encodeURIComponent).join('/')
}

function queryOf(route: Route, { query }: Parts): string {
  if (!query) return ''
  const wire = route.wire?.query ? toWire(query, route.wire.query) : query
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(wire as Record<string, unknown>)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(key, queryText(item))
    }
  }
  return search.size === 0 ? '' : `?${search.toString()}`
}

function queryText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The body of a call as JSON in the names of the wire, or undefined where there is none. */
export function bodyOf(name: EndpointName, { body }: Parts): string | undefined {
  const shape = routes[name].wire?.body
  return body === undefined ? undefined : JSON.stringify(shape ? toWire(body, shape) : body)
}

/** A fresh Idempotency-Key. `crypto.randomUUID` is missing from pages that came over plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
