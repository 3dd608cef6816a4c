import type { CallInput, CallOutput, EndpointName } from '@bey/contract'
import { routes } from '@bey/contract'
import type { InvalidateQueryFilters, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { heardPosition, isReadAt } from './positions.ts'

/** The path of an endpoint with its parameters filled in: the first part of a query's key. */
export function apiPath(name: EndpointName, params: Readonly<Record<string, unknown>> = {}): string {
  return filledPath(routes[name].path, params)
}

export function filledPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])))
}

/** Whose a reply is: the organization's, or, as `undefined`, the user's own in whichever organization they are. */
export function ownerOf(name: EndpointName, organizationId: number | undefined): number | undefined {
  return routes[name].isOfUser ? undefined : organizationId
}

/** Key of what an endpoint answered: path, organization, and its query where it has one. */
export function apiKey(
  organizationId: number | undefined,
  name: EndpointName,
  input: { params?: Readonly<Record<string, unknown>> | undefined; query?: object | undefined } = {},
): QueryKey {
  const path = apiPath(name, input.params)
  const owner = ownerOf(name, organizationId)
  return input.query === undefined ? [path, owner] : [path, owner, input.query]
}

/** The query of a read: asked, keyed and typed by the contract alone. */
export function apiQuery<N extends EndpointName>(
  organizationId: number | undefined,
  name: N,
  input: CallInput<N>,
) {
  return queryOptions<CallOutput<N>>({
    queryKey: apiKey(organizationId, name, input),
    queryFn: ({ signal }) => api.call(name, input, { signal }),
  })
}

/** Marks a query whose reply events leave as it is: it is read again when somebody asks for it. */
export const onDemand = { isOnDemand: true }

/**
 * Marks everything below a path as old, but for what is read on demand; what is on screen is read again, and the old stays
 * meanwhile.
 */
export function refetchBelow(cache: QueryClient, organizationId: number | undefined, path: string): void {
  refetch(cache, {
    predicate: ({ queryKey: [keyPath, keyOrganization], meta }) =>
      keyOrganization === organizationId &&
      typeof keyPath === 'string' &&
      isAtOrBelow(keyPath, path) &&
      meta?.['isOnDemand'] !== true,
  })
}

/**
 * Marks what an event concerns as old. A first read that is under way is not asked twice at once: when its reply is
 * here, and older than the event, it is asked again.
 */
export function refetch(cache: QueryClient, filters: InvalidateQueryFilters): void {
  for (const query of cache.getQueryCache().findAll(filters)) {
    if (query.state.data !== undefined) continue
    afterRead(query, () => void cache.invalidateQueries({ queryKey: query.queryKey, exact: true }))
  }
  void cache.invalidateQueries(filters)
}

/** Marks what an event concerns as old without reading it: whatever shows it next reads it. */
export function markOld(cache: QueryClient, filters: InvalidateQueryFilters): void {
  for (const query of cache.getQueryCache().findAll(filters)) afterRead(query, () => query.invalidate())
  void cache.invalidateQueries({ ...filters, refetchType: 'none' })
}

/** Acts after a read that is under way, if what it brought is older than the newest event so far. */
export function afterRead(query: Query, act: () => void): void {
  if (query.state.fetchStatus !== 'fetching') return
  const position = heardPosition()
  query.promise?.then(
    () => (isReadAt(query, position) ? undefined : act()),
    () => undefined,
  )
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}
