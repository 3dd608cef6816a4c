import type { Endpoint } from '@bey/contract'
import { toWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import type { SweepCall } from '../sweep.ts'
import { encodePart, mutated, textOf } from './mutated.ts'
import { type Chance, type Ids, validValue } from './valid-value.ts'

export type FuzzRequest = { method: string; path: string; body?: string; contentType?: string }

/** Ids for a parameter of a path, by the words before it: `/api/webhooks/{id}` → ids of webhooks. */
export type IdsFor = (pathBefore: string) => Ids

/** One request to an endpoint: valid in about a third of all cases, else with one to three changes. */
export function requestOf(
  endpoint: Endpoint,
  chance: Chance,
  { idsFor, ids, base }: { idsFor: IdsFor; ids: Ids; base?: SweepCall | undefined },
): FuzzRequest {
  const isBased = base !== undefined && chance.is(0.6)
  const params = isBased ? { ...base.params } : paramsOf(endpoint, chance, idsFor)
  let query = endpoint.query && (validValue(endpoint.query, chance, ids) as Record<string, unknown>)
  let body = isBased ? base.body : endpoint.body && validValue(endpoint.body, chance, ids)
  const changes = chance.pick([0, 0, 1, 1, 1, 2])
  for (let change = 0; change < changes; change += 1) {
    const names = Object.keys(params)
    const parts = [
      ...(names.length > 0 ? ['params'] : []),
      ...(endpoint.query ? ['query', 'query'] : []),
      ...(body === undefined ? [] : ['body', 'body', 'body']),
      // Most endpoints refuse any parameter that they do not know.
      ...(chance.is(0.1) ? ['query'] : []),
    ]
    if (parts.length === 0) break
    const part = chance.pick(parts)
    const name = names.length > 0 ? chance.pick(names) : ''
    if (part === 'params') params[name] = partText(mutated(params[name], chance))
    else if (part === 'body') body = mutated(body, chance)
    else query = mutated({ ...query }, chance) as Record<string, unknown>
  }
  const path = endpoint.path
    .replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodePart(params[name] ?? '-') || '-')
    .replace(/\*$/, (base?.rest ?? 'api/v1/namespaces').replace(/^\//, ''))
  return {
    method: endpoint.method,
    path: path + queryOf(endpoint, query, isBased && changes === 0 ? base.query : undefined, chance),
    ...bodyOf(endpoint, body, isBased, chance),
  }
}

/** Nothing that would be another path, such as `..`. */
function partText(value: unknown): string {
  const text = textOf(value)
  return /^\.*$/.test(text) ? '-' : text
}

function paramsOf(endpoint: Endpoint, chance: Chance, idsFor: IdsFor): Record<string, unknown> {
  const parts = endpoint.path.matchAll(/\{(\w+)\}/g)
  const entries = [...parts].map((match): [string, unknown] => {
    const name = match[1] ?? ''
    const schema = endpoint.params?.shape[name]
    // zod types the fields of an object as its core type, of which z.ZodType is the only kind that the contract builds.
    const value =
      schema &&
      validValue(
        schema as Parameters<typeof validValue>[0],
        chance,
        idsFor(endpoint.path.slice(0, match.index)),
      )
    return [name, value ?? '1']
  })
  return Object.fromEntries(entries)
}

function queryOf(endpoint: Endpoint, query: unknown, given: string | undefined, chance: Chance): string {
  if (given !== undefined) return `?${given}`
  if (typeof query !== 'object' || query === null) return query === undefined ? '' : `?${encodePart(query)}`
  const shape = endpoint.wire && endpoint.query && wireShape(endpoint.query)
  const named = shape ? toWire(query, shape) : query
  const pairs = Object.entries(named as object).flatMap(([name, value]) => {
    const pair = `${encodePart(name)}=${encodePart(value)}`
    return chance.is(0.03) ? [pair, pair] : [pair]
  })
  if (chance.is(0.01)) pairs.push(chance.pick(['%', '%ff=%fe', '&&', '=', 'a[b]=1', 'limit=1&limit=2']))
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function bodyOf(endpoint: Endpoint, body: unknown, isBased: boolean, chance: Chance): Partial<FuzzRequest> {
  if (body === undefined || endpoint.method === 'GET') return {}
  const shape = endpoint.wire && endpoint.body && wireShape(endpoint.body)
  // A call of the sweep has the names of the wire already.
  const text =
    typeof body === 'string' && isBased
      ? body
      : JSON.stringify(shape && !isBased ? toWire(body, shape) : body)
  if (chance.is(0.01)) return { body: text.slice(0, -1), contentType: 'application/json' }
  const contentType = chance.is(0.01)
    ? chance.pick(['text/plain', 'application/xml', 'application/json; charset=utf-16', 'x'])
    : 'application/json'
  // -0 and numbers beyond those of JavaScript have no form of their own in JSON.stringify.
  const number = chance.is(0.02)
    ? chance.pick(['-0', '1e999', '-1e999', '123456789012345678901234567890'])
    : undefined
  return { body: number ? text.replace(/:\d+(?=[,}])/, `:${number}`) : text, contentType }
}
