import { isUtf8 } from 'node:buffer'
import { type SecretType, secretTypes } from '@bey/contract'
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
} from 'yaml'
import type { FileEntry, ReadFile } from './read-file.ts'

/**
 * Reads YAML: a map of names to texts, or to `{ type, value, encoding, description }`. Other maps give each of their
 * texts a name by its path, such as `db/password`. Numbers and booleans are taken as they are written.
 */
export function readYaml(text: string): ReadFile {
  return readDocuments(text, (root, reading) => {
    if (!isMap(root)) return reading.refuse(root, 'This is no map of names to values.')
    for (const pair of root.items) readEntry(pair, '', reading)
  })
}

/** Reads manifests of kind Secret, and lists of them: each key is one secret, named `<name>/<key>`. */
export function readKubernetes(text: string): ReadFile {
  return readDocuments(text, (root, reading) => {
    if (isMap(root) && isSeq(root.get('items', true))) {
      const items = root.get('items', true)
      for (const item of isSeq(items) ? items.items : []) readManifest(item, reading)
    } else readManifest(root, reading)
  })
}

type Reading = {
  add(node: unknown, entry: Omit<FileEntry, 'line'>): void
  refuse(node: unknown, message: string): void
}

function readDocuments(text: string, read: (root: unknown, reading: Reading) => void): ReadFile {
  const file: ReadFile = { entries: [], problems: [] }
  const lineCounter = new LineCounter()
  const lineOf = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  const lineOfNode = (node: unknown) => lineOf(rangeOf(node)?.[0] ?? 0)
  const reading: Reading = {
    add: (node, entry) => file.entries.push({ line: lineOfNode(node), ...entry }),
    refuse: (node, message) => file.problems.push({ line: lineOfNode(node), message }),
  }
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false })
  for (const document of Array.isArray(documents) ? (documents as Document.Parsed[]) : []) {
    const [error] = document.errors
    // Its own message may quote the file.
    if (error) file.problems.push({ line: lineOf(error.pos[0]), message: 'This is no YAML.' })
    else if (document.contents !== null) read(document.contents, reading)
  }
  return file
}

/** Of a map that is one secret rather than several. */
const entryFields: ReadonlySet<unknown> = new Set(['type', 'value', 'encoding', 'description'])
const maxDepth = 10

function readEntry({ key, value }: Pair, path: string, reading: Reading): void {
  const own = textOf(key)
  if (own === undefined) return reading.refuse(key, 'A name must be a text.')
  const name = `${path}${own}`
  const text = textOf(value)
  if (text !== undefined) return reading.add(key, { name, value: text })
  if (isScalar(value) || value === null) return reading.add(key, { name, value: '' })
  if (isAlias(value)) {
    return reading.refuse(key, `The value of ${name} is an alias of YAML. Write the value itself there.`)
  }
  if (!isMap(value)) {
    return reading.refuse(
      key,
      `The value of ${name} is a list. Write it as one text, or as a map that gives each item a name.`,
    )
  }
  const isEntry = value.has('value') && value.items.every((each) => entryFields.has(textOf(each.key)))
  if (!isEntry) {
    if (name.split('/').length > maxDepth) return reading.refuse(key, `${name} has too many levels.`)
    for (const pair of value.items) readEntry(pair, `${name}/`, reading)
    return
  }
  const type = value.get('type') ?? 'opaque'
  if (!isSecretType(type))
    return reading.refuse(key, `The type of ${name} is none of ${secretTypes.join(', ')}.`)
  const encoding = value.get('encoding') ?? 'utf8'
  if (encoding !== 'utf8' && encoding !== 'base64') {
    return reading.refuse(key, `The encoding of ${name} is neither utf8 nor base64.`)
  }
  const description = textOf(value.get('description', true)) ?? ''
  const given = value.get('value', true)
  const content = isMap(given) ? fieldsOf(given) : textOf(given)
  if (content === undefined)
    return reading.refuse(key, `${name} has no value that is a text or a map of texts.`)
  reading.add(key, { name, type, encoding, description, value: content })
}

function readManifest(node: unknown, reading: Reading): void {
  if (!isMap(node) || node.get('kind') !== 'Secret') {
    return reading.refuse(node, 'This is no manifest of kind Secret.')
  }
  const metadata = node.get('metadata', true)
  const object = isMap(metadata) ? textOf(metadata.get('name', true)) : undefined
  if (object === undefined || object === '') return reading.refuse(node, 'This Secret has no metadata.name.')
  const given = node.get('stringData', true)
  const texts = isMap(given) ? given.items : []
  // As Kubernetes does it: what stringData says counts.
  const written = new Set(texts.map(({ key }) => textOf(key)))
  for (const pair of texts) readKey(object, pair, reading, (text) => ({ value: text }))
  const data = node.get('data', true)
  for (const pair of isMap(data) ? data.items : []) {
    if (!written.has(textOf(pair.key))) readKey(object, pair, reading, fromBase64)
  }
}

type Content = Pick<FileEntry, 'value' | 'encoding'>

function readKey(
  object: string,
  { key, value }: Pair,
  reading: Reading,
  contentOf: (text: string) => Content | undefined,
): void {
  const name = `${object}/${textOf(key) ?? ''}`
  const text = textOf(value)
  const content = text === undefined ? undefined : contentOf(text)
  if (content === undefined) return reading.refuse(key, `The value of ${name} is not a text in base64.`)
  reading.add(key, { name, ...content })
}

function fromBase64(text: string): Content | undefined {
  const written = text.replace(/\s/g, '')
  const bytes = Buffer.from(written, 'base64')
  if (bytes.toString('base64') !== written) return undefined
  return isUtf8(bytes) && !bytes.includes(0)
    ? { value: bytes.toString('utf8') }
    : { value: written, encoding: 'base64' }
}

function isSecretType(text: unknown): text is SecretType {
  return secretTypes.some((type) => type === text)
}

function fieldsOf(map: YAMLMap): Record<string, string> | undefined {
  const fields: [string, string][] = []
  for (const { key, value } of map.items) {
    const [name, text] = [textOf(key), textOf(value)]
    if (name === undefined || text === undefined) return undefined
    fields.push([name, text])
  }
  return Object.fromEntries(fields)
}

/** What a scalar says, as it is written: `0123` stays as it is, and so does `yes`. */
function textOf(node: unknown): string | undefined {
  if (!isScalar(node)) return undefined
  if (typeof node.value === 'string') return node.value
  return node.value === null ? undefined : node.source
}

function rangeOf(node: unknown): readonly number[] | null | undefined {
  if (isPair(node)) return rangeOf(node.key)
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined
}
