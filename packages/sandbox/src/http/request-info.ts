/** What a path of the Kubernetes API asks for, before anything is looked up. */
export type ResourcePath = {
  group: string
  version: string
  resource: string
  namespace: string | undefined
  name: string | undefined
  subresource: string | undefined
  /** What follows the subresource: `/proxy/…`. */
  rest: string
}

/** Parts of a path without their percent signs, or undefined where these make no sense. */
export function decodeParts(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Parses `/api/v1/…` and `/apis/{group}/{version}/…` down to a resource; undefined for anything shorter. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = path.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  const prefix = parts.shift()
  const group = prefix === 'apis' ? parts.shift() : prefix === 'api' ? '' : undefined
  const version = parts.shift()
  if (group === undefined || version === undefined || parts.length === 0) return undefined
  let decoded = decodeParts(parts)
  if (!decoded) return undefined
  // `watch/` is the old way of asking for a watch; nobody is served by it today.
  let namespace: string | undefined
  const isBelow =
    decoded[0] === 'namespaces' && decoded.length > 2 && !['status', 'finalize'].includes(decoded[2] ?? '')
  if (isBelow) {
    namespace = decoded[1]
    decoded = decoded.slice(2)
  }
  const [resource = '', name, subresource, ...rest] = decoded
  return { group, version, resource, namespace, name, subresource, rest: rest.join('/') }
}
