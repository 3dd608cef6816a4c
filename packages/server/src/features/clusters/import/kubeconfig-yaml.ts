import { maxKubeconfigBytes } from '@bey/contract'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from 'yaml'

import { AppError } from '../../../platform/errors.ts'

/** More nodes than this have no meaning in a file of that size. */
const maxNodes = 50_000
const maxDepth = 40
/** Listed at once; nobody reads more. */
const maxErrors = 10

type LineError = { line: number; problem: string }

/**
 * A kubeconfig as plain data. Throws AppError `invalid_request` with each line that is no YAML, and for what is empty, too
 * large, several documents, or made to be larger than it looks. No message repeats what stands in the file.
 */
export function readKubeconfigYaml(text: string): unknown {
  if (text.trim() === '')
    throw refused('The kubeconfig is empty. Paste the output of kubectl config view --raw.')
  const bytes = Buffer.byteLength(text)
  if (bytes > maxKubeconfigBytes)
    throw refused(
      `The kubeconfig has ${bytes} bytes; at most ${maxKubeconfigBytes} are read. Keep the context that you need: kubectl config view --raw --flatten --minify --context NAME.`,
    )
  const lines = new LineCounter()
  const documents = parse(text, lines)
  const [document] = documents
  if (document === undefined)
    throw refused('The kubeconfig is empty. Paste the output of kubectl config view --raw.')
  if (documents.length > 1)
    throw refused(
      `The file holds ${documents.length} YAML documents, and a kubeconfig is one. Merge them: KUBECONFIG=first:second kubectl config view --raw --flatten.`,
    )
  const errors = document.errors.map((error) => ({
    line: error.linePos?.[0].line ?? 1,
    problem: problems[error.code] ?? 'this cannot be read',
  }))
  throwErrors(errors)
  throwErrors(shapeErrors(document, lines))
  return document.toJS({ maxAliasCount: 0 }) as unknown
}

function parse(text: string, lineCounter: LineCounter): Document[] {
  try {
    // Duplicate keys are looked for below, where it does not take longer the more there are.
    const found = parseAllDocuments(text, { lineCounter, logLevel: 'error', uniqueKeys: false })
    return Array.isArray(found) ? found : []
  } catch (error) {
    if (error instanceof RangeError) throw refused(tooDeep)
    throw error
  }
}

const tooDeep = 'The kubeconfig is nested more deeply, or has more entries, than any kubeconfig needs.'

/** Before it becomes data: a file of a kilobyte can represent gigabytes. */
function shapeErrors(document: Document, lines: LineCounter): LineError[] {
  const errors: LineError[] = []
  let nodes = 0
  visit(document, {
    Node(_key, node, path) {
      nodes += 1
      if (isAlias(node))
        throw refused(
          'The kubeconfig uses YAML aliases (*name), which are not read. Write them out: kubectl config view --raw --flatten.',
        )
      if (nodes > maxNodes || path.length > maxDepth) throw refused(tooDeep)
      if (isMap(node)) errors.push(...duplicateKeys(node, lines))
    },
  })
  return errors
}

function duplicateKeys(map: YAMLMap, lines: LineCounter): LineError[] {
  const seen = new Set<unknown>()
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key)) return []
    if (!seen.has(key.value)) {
      seen.add(key.value)
      return []
    }
    return [{ line: lines.linePos(key.range?.[0] ?? 0).line, problem: 'this key stands in its map already' }]
  })
}

/** By the parser's code, since its own messages repeat what stands in the file. */
const problems: Partial<Record<string, string>> = {
  TAB_AS_INDENT: 'YAML is indented with spaces, and here is a tab',
  BAD_INDENT: 'the indentation does not fit the lines above',
  BAD_ALIAS: 'an alias names an anchor that is not there',
  BAD_DQ_ESCAPE: 'there is an escape in double quotes that YAML does not have',
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'there is a list or map where a key is expected',
  MISSING_CHAR: 'a quote, bracket, comma or colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a key goes on over several lines, or its colon is missing',
  UNEXPECTED_TOKEN: 'something stands here that YAML does not allow in this place',
}

function throwErrors(found: LineError[]): void {
  if (found.length === 0) return
  const errors = found.slice(0, maxErrors).map(({ line, problem }) => ({
    path: `kubeconfig.${line}`,
    message: `Line ${line}: ${problem}.`,
  }))
  throw new AppError(
    'invalid_request',
    `The kubeconfig is not valid YAML. ${errors.map(({ message }) => message).join(' ')}`,
    { errors },
  )
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { errors: [{ path: 'kubeconfig', message }] })
}
