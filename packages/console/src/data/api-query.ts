import type { CallInput, CallOutput, EndpointName } from '@bey/contract'
import { routes } from '@bey/contract'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api.ts'

/** The path of an endpoint with its parameters filled in: the first part of a query's key. */
export function apiPath(name: EndpointName, params: Readonly<Record<string, unknown>> = {}): string {
  return routes[name].path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])))
}

/** Key of what an endpoint answered: path, organization, and its query where it has one. */
export function apiKey(
  organizationId: number | undefined,
  name: EndpointName,
  input: { params?: Readonly<Record<string, unknown>> | undefined; query?: object | undefined } = {},
): QueryKey {
  const path = apiPath(name, input.params)
  return input.query === undefined ? [path, organizationId] : [path, organizationId, input.query]
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

/** Marks everything below a path as old; what is on screen is read again, and the old stays meanwhile. */
export function refetchBelow(cache: QueryClient, organizationId: number, path: string): void {
  void cache.invalidateQueries({
    predicate: ({ queryKey: [keyPath, keyOrganization] }) =>
      keyOrganization === organizationId && typeof keyPath === 'string' && isAtOrBelow(keyPath, path),
  })
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}
