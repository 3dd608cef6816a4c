import type { Environment } from '@marcbachmann/cel-js'

/** The parts of an absolute URI, or of an absolute path, as they were written. */
class Url {
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string

  constructor([scheme, host, path, query]: [string, string, string, string]) {
    this.scheme = scheme
    this.host = host
    this.path = path
    this.query = query
  }

  toString(): string {
    const origin = this.scheme === '' ? '' : `${this.scheme}:${this.host === '' ? '' : `//${this.host}`}`
    return `${origin}${this.path}${this.query === '' ? '' : `?${this.query}`}`
  }
}

const shape = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?]*)(?:\?(.*))?$/is
const hostShape = /^(?:[^@]*@)?(\[[^\]]*\]|[^:@[\]]*)(?::(\d*))?$/
const badEscape = /%(?![0-9a-f]{2})/i

/** Undefined for what is neither an absolute URI nor an absolute path. */
export function parse(text: string): Url | undefined {
  // oxlint-disable-next-line no-control-regex -- a URL must not have any
  if (text === '' || /[\x00-\x20\x7f]/.test(text)) return undefined
  const [, scheme, authority = '', path = '', query = ''] = shape.exec(text) ?? []
  const isAbsolute = scheme !== undefined || text.startsWith('/')
  if (!isAbsolute || !hostShape.test(authority) || badEscape.test(path)) return undefined
  if (scheme !== undefined && authority === '' && path === '') return undefined
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return new Url([(scheme ?? '').toLowerCase(), host, path, query])
}

function url(text: string): Url {
  const found = parse(text)
  if (!found) throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
  return found
}

function queryOf({ query }: Url): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [key, value] of new URLSearchParams(query)) values.set(key, [...(values.get(key) ?? []), value])
  return values
}

const hostPart = ({ host }: Url, group: number) => hostShape.exec(host)?.[group] ?? ''

/** The functions for URLs of Kubernetes' expressions. */
export function addUrlLibrary(environment: Environment): Environment {
  return environment
    .registerType('URL', { ctor: Url, fields: {} })
    .registerFunction('isURL(string): bool', (text: string) => parse(text) !== undefined)
    .registerFunction('url(string): URL', url)
    .registerOperator('URL == URL', (a: Url, b: Url) => a.toString() === b.toString())
    .registerFunction('URL.getScheme(): string', ({ scheme }: Url) => scheme)
    .registerFunction('URL.getHost(): string', ({ host }: Url) => host)
    .registerFunction('URL.getHostname(): string', (one: Url) => hostPart(one, 1).replace(/^\[(.*)\]$/, '$1'))
    .registerFunction('URL.getPort(): string', (one: Url) => hostPart(one, 2))
    .registerFunction('URL.getEscapedPath(): string', ({ path }: Url) => encodeURI(decodeURI(path)))
    .registerFunction('URL.getQuery(): map<string, list<string>>', queryOf)
}
