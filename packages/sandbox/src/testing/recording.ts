import { isObject, listAt, textAt, type Json, type JsonObject } from '../json.ts'

/** What kubectl needs of a reply. */
export type Expectation = {
  code: number
  type: string
  /** API version and kind, as in `apps/v1 Deployment`. */
  kind?: string
  /** The columns of a Table. */
  columns?: string[]
  /** Why a Status refuses. */
  reason?: string
  /** Names that are in a list, or that of an object; generated ones are left out. */
  names?: string[]
}

export type RecordedRequest = {
  method: string
  /** With its query; values that come from earlier replies are placeholders. */
  path: string
  headers: Record<string, string>
  json?: Json
  /** A body that is not JSON. */
  base64?: string
  expect: Expectation
  /** What the first line of a watch holds. */
  event?: Expectation
}

export type RecordedCommand = { line: string; requests: RecordedRequest[] }

/** What one version of kubectl sends, as `tools/record-kubectl.ts` writes it. */
export type Recording = { version: string; commands: RecordedCommand[] }

export function isWatch(path: string): boolean {
  return /[?&]watch=(true|1)\b/.test(path)
}

function expectedOf(body: JsonObject): Omit<Expectation, 'code' | 'type'> {
  const kind = [textAt(body, 'apiVersion'), textAt(body, 'kind')].filter(Boolean).join(' ')
  const reason = textAt(body, 'status') === 'Failure' ? textAt(body, 'reason') : undefined
  const columns = listAt(body, 'columnDefinitions').map((column) => textAt(column, 'name') ?? '')
  const names = objectsOf(body).flatMap(({ metadata }) => {
    const name = textAt(metadata, 'name')
    return name === undefined || isGenerated(metadata) ? [] : [name]
  })
  return {
    ...(kind === '' ? {} : { kind }),
    ...(columns.length === 0 ? {} : { columns }),
    ...(reason === undefined ? {} : { reason }),
    ...(names.length === 0 || names.length > 12 ? {} : { names }),
  }
}

/** What is to be expected again of a reply, or of one line of a watch. */
export function expectationOf(code: number, type: string, body: unknown): Expectation {
  return { code, type, ...(isObject(body) ? expectedOf(body) : {}) }
}

// Events are named after the moment they are written at, replica sets after a hash.
function isGenerated(metadata: Json | undefined): boolean {
  return (
    /\.[0-9a-f]{8,}$|-[a-z0-9]{8,10}(-[a-z0-9]{5})?$/.test(textAt(metadata, 'name') ?? '') ||
    textAt(metadata, 'generateName') !== undefined
  )
}

/** The object, or those of a list or Table. */
function objectsOf(body: JsonObject): JsonObject[] {
  const rows = listAt(body, 'rows').map((row) => (isObject(row) ? row['object'] : undefined))
  const inside = [...listAt(body, 'items'), ...rows].filter(isObject)
  const isList = Array.isArray(body['items']) || Array.isArray(body['rows'])
  return isList ? inside : textAt(body, 'metadata', 'name') === undefined ? [] : [body]
}

/**
 * What requests take over from earlier replies: resource versions, uids, generated names and the hashes of OpenAPI
 * documents. Recorder and replay learn from each reply alike, so that a placeholder represents the same thing in both.
 */
export class Borrowed {
  readonly #values = new Map<string, string>()
  readonly #generated = new Map<string, string>()

  learn(method: string, path: string, body: unknown): void {
    if (!isObject(body)) return
    const bare = path.split('?')[0] ?? ''
    const paths = bare === '/openapi/v3' ? body['paths'] : undefined
    for (const one of isObject(paths) ? Object.values(paths) : []) {
      const url = textAt(one, 'serverRelativeURL')
      const [document = '', hash] = url?.split('?hash=') ?? []
      if (hash) this.#values.set(`hash ${document}`, hash)
    }
    const version = textAt(body, 'metadata', 'resourceVersion')
    if (version) this.#values.set(`version ${bare}`, version)
    for (const object of objectsOf(body)) {
      const name = textAt(object, 'metadata', 'name') ?? ''
      const isOne = object === body && method !== 'POST'
      const key = isOne ? bare : `${bare}/${this.#nameOf(object, name)}`
      const own = textAt(object, 'metadata', 'resourceVersion')
      const uid = textAt(object, 'metadata', 'uid')
      if (own) this.#values.set(`version ${key}`, own)
      if (uid) this.#values.set(`uid ${key}`, uid)
    }
  }

  /** Remembers a generated name as the n-th of its kind, and answers what it is called from now on. */
  #nameOf(object: JsonObject, name: string): string {
    const prefix = textAt(object, 'metadata', 'generateName')
    if (prefix === undefined) return name
    // The hash of a template may differ from one version of the sandbox to the next.
    const stem = prefix.replace(/-[a-z0-9]{6,10}-$/, '-')
    const known = [...this.#generated].find(([, value]) => value === name)?.[0]
    if (known) return known
    const count = [...this.#generated.keys()].filter((key) => key.startsWith(`${stem}#`)).length
    this.#generated.set(`${stem}#${count}`, name)
    return `${stem}#${count}`
  }

  /** Puts placeholders where a text has what earlier replies said. */
  hide(text: string): string {
    let hidden = text
    for (const [key, value] of this.#generated) hidden = hidden.replaceAll(value, `{name ${key}}`)
    for (const [key, value] of [...this.#values].toReversed()) {
      if (key.startsWith('version ')) {
        hidden = hidden
          .replaceAll(new RegExp(`(resourceVersion=)${value}(?=&|$)`, 'g'), `$1{${key}}`)
          .replaceAll(`"resourceVersion":"${value}"`, `"resourceVersion":"{${key}}"`)
          .replaceAll(`/resourceVersion","value":"${value}"`, `/resourceVersion","value":"{${key}}"`)
      } else hidden = hidden.replaceAll(value, `{${key}}`)
    }
    return hidden
  }

  /** Puts what earlier replies said where a text has placeholders. Throws when none said it. */
  show(text: string): string {
    const named = text.replaceAll(
      /\{name ([^{}"]+)\}/g,
      (all, key: string) => this.#generated.get(key) ?? all,
    )
    return named.replaceAll(/\{((?:version|uid|hash|name) [^{}"]+)\}/g, (_, key: string) => {
      const value = this.#values.get(key)
      if (value === undefined) throw new Error(`No reply named the ${key}.`)
      return value
    })
  }
}
