import { Composer, Parser } from 'yaml'
import type { Document, ParsedNode, YAMLError } from 'yaml'
import { isFree } from './text-problem.ts'
import type { Free, TextProblem } from './text-problem.ts'

/** What one request of a manifest may weigh, as the server takes it. */
const maxManifestBytes = 3_000_000
/** How many objects are applied at once. */
export const maxDocuments = 200
/** An object that is larger when its aliases are followed is refused: a few lines can represent gigabytes. */
const maxAliasCount = 100

/** One object of a manifest. */
export interface ManifestDocument {
  from: number
  to: number
  node: Document.Parsed
  object: Free
  apiVersion: string
  kind: string
  name: string
  /** Empty where the manifest names none. */
  namespace: string
}

export interface Manifest {
  /** Documents that say which object they are; the others are among the problems. */
  documents: ManifestDocument[]
  problems: TextProblem[]
}

/** Reads a manifest of one or several documents, JSON among them. Never throws: what is wrong is a problem at its place. */
export function parseManifest(text: string): Manifest {
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxManifestBytes) {
    const megabytes = (bytes / 1_000_000).toFixed(1)
    const message = `This text has ${megabytes} MB; at most 3 MB are taken at once. Split it into several manifests.`
    return { documents: [], problems: [{ from: 0, to: firstLineEnd(text), severity: 'error', message }] }
  }
  const excess = documentStart(text, maxDocuments)
  if (excess !== undefined) {
    const count = [...text.matchAll(separator)].length + 1
    const message = `This manifest has ${count} documents; at most ${maxDocuments} are applied at once. Split it here.`
    return { documents: [], problems: [{ from: excess, to: excess + 3, severity: 'error', message }] }
  }
  const documents: ManifestDocument[] = []
  const problems: TextProblem[] = []
  for (const node of compose(text)) {
    const found = readDocument(text, node)
    if ('problems' in found) problems.push(...found.problems)
    else if ('document' in found) documents.push(found.document)
  }
  return { documents, problems: [...problems, ...repeatedObjects(documents)] }
}

const separator = /^---(?=\s|$)/gm

function documentStart(text: string, index: number): number | undefined {
  let seen = /^\s*---/.test(text) ? -1 : 0
  for (const match of text.matchAll(separator)) {
    seen += 1
    if (seen === index) return match.index
  }
  return undefined
}

function* compose(text: string): Generator<Document.Parsed> {
  const composer = new Composer<ParsedNode>({ uniqueKeys: true, merge: true, version: '1.2' })
  yield* composer.compose(new Parser().parse(text), false, text.length)
}

function readDocument(
  text: string,
  node: Document.Parsed,
): { document: ManifestDocument } | { problems: TextProblem[] } | Record<never, never> {
  const [from, to] = [node.range[0], node.range[1]]
  if (node.errors.length > 0)
    return { problems: node.errors.slice(0, 20).map((error) => problemOf(text, error)) }
  if (node.contents === null) return {}
  const at = (message: string): { problems: TextProblem[] } => {
    const start = node.contents?.range[0] ?? from
    return { problems: [{ from: start, to: lineEnd(text, start), severity: 'error', message }] }
  }
  let object: unknown
  try {
    object = node.toJS({ maxAliasCount })
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    return at(
      'The aliases of this document represent too much data. Write the values out, or use fewer aliases.',
    )
  }
  if (object === null) return {}
  if (!isFree(object)) {
    return at('This is no Kubernetes object: an object begins with apiVersion, kind and metadata.')
  }
  const metadata = isFree(object['metadata']) ? object['metadata'] : {}
  const { apiVersion, kind } = object
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    return at('The field apiVersion is missing, for example apiVersion: apps/v1.')
  }
  if (typeof kind !== 'string' || kind === '') {
    return at('The field kind is missing, for example kind: Deployment.')
  }
  if (typeof metadata['name'] !== 'string' || metadata['name'] === '') {
    return at(`This ${kind} has no metadata.name: give it a name.`)
  }
  const namespace = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : ''
  return { document: { from, to, node, object, apiVersion, kind, name: metadata['name'], namespace } }
}

/** The parser's errors that people meet, in words that say what to do. */
function problemOf(text: string, { code, message, pos }: YAMLError): TextProblem {
  const [from, end] = pos
  const to = Math.max(end, Math.min(from + 1, text.length))
  const said = { from, to, severity: 'error' as const }
  switch (code) {
    case 'TAB_AS_INDENT':
      return { ...said, message: 'YAML does not allow a tab here. Indent with spaces.' }
    case 'DUPLICATE_KEY': {
      const key = /^["']?([^"':\s]+)/.exec(text.slice(from))?.[1] ?? ''
      const message = `The key "${key}" is here a second time. Keep one of the two.`
      return { ...said, to: Math.max(to, from + key.length), message }
    }
    case 'BAD_ALIAS':
      return { ...said, message: 'This alias has no anchor before it: *name needs &name further up.' }
    case 'BAD_INDENT':
      return { ...said, message: 'The indentation does not fit the lines above.' }
    default:
      return { ...said, message: message.endsWith('.') ? message : `${message}.` }
  }
}

/** The same object twice in one manifest: the second would overwrite the first. */
function repeatedObjects(documents: readonly ManifestDocument[]): TextProblem[] {
  const seen = new Set<string>()
  return documents.flatMap(({ from, to, apiVersion, kind, namespace, name }) => {
    const key = `${apiVersion.split('/')[0]}/${kind}/${namespace}/${name}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    const message = `${kind} "${name}" is in this manifest twice. Keep one of the two.`
    return [{ from, to: Math.min(to, from + 1), severity: 'error' as const, message }]
  })
}

function firstLineEnd(text: string): number {
  return lineEnd(text, 0)
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
