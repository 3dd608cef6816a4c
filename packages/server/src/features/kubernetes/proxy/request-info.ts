/** What a request to the Kubernetes API is about, as its API server understands paths. */
export type RequestInfo = {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; else the method in lower case. */
  verb: string
  /** Decoded path that starts with a slash. */
  path: string
  /** Undefined for paths that are no resource, such as `/version` and `/apis/apps/v1`. */
  resource: ResourceInfo | undefined
}

export type ResourceInfo = {
  group: string
  /** Plural name, lower case, e.g. `pods`. */
  name: string
  subresource: string
  namespace: string
  objectName: string
}

/**
 * Splits the raw path below `/proxy` into decoded segments. Undefined when it could mean one thing here and
 * another to the cluster: dot or empty segments, encoded or back slashes, double encoding, control characters,
 * bad percent-encoding.
 */
export function safeSegments(rawPath: string): string[] | undefined {
  if (!/^\/[\x21-\x7e]*$/.test(rawPath) || /[\\?#;]/.test(rawPath)) return undefined
  const raw = rawPath.slice(1).split('/')
  // One slash at the end is harmless and sent by people.
  if (raw.at(-1) === '') raw.pop()
  const segments: string[] = []
  for (const part of raw) {
    const segment = decode(part)
    if (segment === undefined || !isSafeSegment(segment)) return undefined
    segments.push(segment)
  }
  return segments
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function isSafeSegment(segment: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\\%\u0000-\u001f\u007f]/.test(segment)
}

const verbs: Record<string, string> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/**
 * Reads a request as the API server's own request-info resolver does (`k8s.io/apiserver`, RequestInfoFactory),
 * the deprecated `/watch/` prefix included.
 */
export function requestInfo(method: string, segments: string[], query: URLSearchParams): RequestInfo {
  const path = `/${segments.join('/')}`
  const info = { verb: method.toLowerCase(), path, resource: undefined }
  const isCore = segments[0] === 'api'
  if (!isCore && segments[0] !== 'apis') return info
  const group = isCore ? '' : (segments[1] ?? '')
  let parts = segments.slice(isCore ? 2 : 3)
  if (parts.length === 0) return info

  let verb = verbs[method] ?? method.toLowerCase()
  const isOldWatch = parts[0] === 'watch'
  if (isOldWatch) parts = parts.slice(1)
  let namespace = ''
  if (parts[0] === 'namespaces' && parts[1] !== undefined) {
    namespace = parts[1]
    if (parts[2] !== undefined && parts[2] !== 'status' && parts[2] !== 'finalize') parts = parts.slice(2)
  }
  const [name = '', objectName = '', subresource = ''] = parts
  if (isOldWatch) verb = 'watch'
  else if (objectName === '' && verb === 'get') verb = asksToWatch(query) ? 'watch' : 'list'
  else if (objectName === '' && verb === 'delete') verb = 'deletecollection'
  return { verb, path, resource: { group, name, subresource, namespace, objectName } }
}

function asksToWatch(query: URLSearchParams): boolean {
  return isSet(query.get('watch'))
}

/** A flag of a query as the API server reads it: anything but `false` in any case and `0`, and nothing at all, is true. */
function isSet(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

/** Whether the answer may go on for as long as both sides like: watches and followed logs. */
export function isEndless(info: RequestInfo, query: URLSearchParams): boolean {
  if (info.verb === 'watch') return true
  return info.resource?.subresource === 'log' && isSet(query.get('follow'))
}
