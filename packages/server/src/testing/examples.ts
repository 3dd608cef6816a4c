import type { Endpoint, EndpointName } from '@bey/contract'
import { fromWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import { z } from 'zod'
import type { Example } from '../platform/http/docs/examples.ts'
import type { Reply } from './app.ts'
import type { SweepCall } from './sweep.ts'

const longestText = 300

/** A call and its reply, without secrets, and short enough to be read: lists have two items where their schema lets them. */
export function exampleOf(endpoint: Endpoint, call: SweepCall, reply: Reply): Example {
  const short = madeOf(endpoint, call, reply, 2)
  return fitsContract(endpoint, short) ? short : madeOf(endpoint, call, reply, Infinity)
}

function fitsContract({ wire, response, body }: Endpoint, example: Example): boolean {
  const fits = (schema: Endpoint['response'] | undefined, value: unknown) => {
    if (!(schema instanceof z.ZodType) || value === undefined) return true
    const shape = wire && wireShape(schema)
    return schema.safeParse(shape ? fromWire(value, shape) : value).success
  }
  return fits(response, example.reply) && fits(body, example.body)
}

function madeOf(endpoint: Endpoint, call: SweepCall, reply: Reply, longestList: number): Example {
  const alike = alikeMaker(longestList)
  const isJson = reply.headers.get('content-type')?.includes('json') === true
  const path = endpoint.path
    .replace(/\{(\w+)\}/g, (_, name: string) => String(alike(call.params?.[name], name)))
    .replace(/\*$/, call.rest ?? '')
  return {
    path,
    ...(call.query !== undefined && { query: String(alike(call.query, 'query')) }),
    ...(call.body !== undefined && { body: alike(call.body, '') }),
    status: reply.status,
    ...(isJson && { reply: alike(reply.body, '') }),
  }
}

/** One line for each endpoint, in the order of their names. */
export function exampleLines(examples: ReadonlyMap<EndpointName, Example>): string {
  return [...examples]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, example]) => `${JSON.stringify([name, example])}\n`)
    .join('')
}

const isRandom = (text: string) =>
  !isId(text) && /[0-9]/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)

const isId = (text: string) => /^[0-9a-f-]{36}$/.test(text)

const secretFields =
  /token|secret$|password|passphrase|kubeconfig|privateKey|clientSecret|recoveryCodes|signature|^hash$|prevHash|cursor|challenge|^value$|^code$|^pem$|connectionString|ca$/i

/** Replaces ids, times, names and whatever is secret or random, each by the same value wherever it stands in the call. */
function alikeMaker(longestList: number) {
  const known = new Map<string, string | number>()
  const counts = new Map<string, number>()
  function of<T extends string | number>(kind: string, text: string | number, make: (count: number) => T): T {
    const key = `${kind} ${text}`
    const found = known.get(key)
    // What is kept under a kind was made by that kind.
    if (found !== undefined) return found as T
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const made = make(count)
    known.set(key, made)
    return made
  }
  const inText = (text: string): string =>
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
        of('uuid', id, (count) => `0198c0de-0000-7000-8000-${String(count).padStart(12, '0')}`),
      )
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, (at) =>
        of('time', at, (count) => `2026-01-15T09:30:${String(count % 60).padStart(2, '0')}.000Z`),
      )
      .replace(/https?:\/\/(127\.0\.0\.1|localhost):\d+/g, 'https://bey.example.com')
      .replace(/\b(127\.0\.0\.1|localhost):\d+/g, 'bey.example.com:443')
      .replace(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, (mail) =>
        of('mail', mail, (count) => `person-${count}@example.com`),
      )
      .replace(/Whoever calls [\w.]+/g, 'Ada Lovelace')
      .replace(/\bsweep-\d+/g, (name) => of('name', name, (count) => `example-${count}`))
      .replace(/\/tmp\/[\w.-]+/g, '/var/lib/bey')
      .replace(
        /-----BEGIN [\s\S]*?-----END [A-Z ]+-----/g,
        '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----',
      )
      .replace(/\b(bey_[a-z]+_|whsec_)[\w+/=-]{4,}/g, '$1…')
      .replace(/secret=\w+/g, 'secret=…')
      .replace(/\b[0-9a-f]{32,}\b/g, '…')
      .replace(/[\w+=-]{32,}/g, (text) => (isRandom(text) ? '…' : text))
      .replace(/\b(database|workflow|key|cluster|network)-\d+\b/g, (name) =>
        of('name', name, (count) => `example-${count}`),
      )
      .replace(/\bOrganization \d+/g, 'Analytical Engines')

  return function alike(value: unknown, key: string): unknown {
    if (Array.isArray(value)) return value.slice(0, longestList).map((each) => alike(each, key))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, alike(each, name)]))
    if (typeof value === 'number') return alikeNumber(value, key)
    if (typeof value !== 'string') return value
    if (secretFields.test(key) && value.length > 12) return /password$/i.test(key) ? 'correct-horse-1!' : '…'
    if (/(^id|Id|_id)$/.test(key) && /^\d+$/.test(value))
      return String(of('id', Number(value), (count) => count))
    const text = inText(value)
    return text.length > longestText ? `${text.slice(0, longestText)}…` : text
  }

  function alikeNumber(value: number, key: string): number {
    if (/(^id|Id|_id)$/.test(key)) return of('id', value, (count) => count)
    if (/(Ms|_ms)$/.test(key) && value > 0) return 1_000
    if (/(Bytes|_bytes)$/.test(key) && value > 0) return 1_073_741_824
    return value
  }
}
