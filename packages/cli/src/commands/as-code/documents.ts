import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isNode, LineCounter, parseAllDocuments, type Document } from 'yaml'
import { UsageError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'

/** One document of a file. */
export type FileDocument = {
  value: unknown
  file: string
  /** Line of a field such as `spec.steps.0.type`, or of the nearest field above it that is there. */
  lineOf(path: string): number
}

/** A fault in a file: `shop/alerts.yaml:12: …`. */
export type FileProblem = { file: string; line: number; path: string; message: string }

export type ReadDocuments = { documents: FileDocument[]; problems: FileProblem[] }

const extensions = /\.(ya?ml|json)$/

/** Every document of some files, directories, and standard input (`-`). Throws UsageError for a path that cannot be read. */
export async function readDocuments(paths: readonly string[], terminal: Terminal): Promise<ReadDocuments> {
  const all: ReadDocuments = { documents: [], problems: [] }
  for (const path of paths) {
    if (path === '-') addTo(all, 'standard input', await terminal.readInput())
    else for (const file of filesAt(path)) addTo(all, file, readText(file))
  }
  return all
}

function filesAt(path: string): string[] {
  if (!statOf(path).isDirectory()) return [path]
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => extensions.test(name) && !/(^|[\\/])(\.|node_modules)/.test(name))
    .map((name) => join(path, name))
    .filter((file) => statOf(file).isFile())
  if (files.length === 0) throw new UsageError(`${path} has no file that ends in .yaml, .yml or .json.`)
  return files.toSorted()
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch (cause) {
    throw new UsageError(`${path} cannot be read.`, { cause })
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`${file} cannot be read.`, { cause })
  }
}

function addTo({ documents, problems }: ReadDocuments, file: string, text: string): void {
  const lines = new LineCounter()
  const parsed = parseAllDocuments(text, { lineCounter: lines })
  if (!Array.isArray(parsed)) return
  for (const document of parsed) {
    for (const { message, pos } of document.errors)
      problems.push({
        file,
        line: lines.linePos(pos[0]).line,
        path: '',
        message: message.split('\n')[0] ?? message,
      })
    // Between two separators, or only comments.
    if (document.errors.length > 0 || document.contents === null) continue
    const value: unknown = document.toJS()
    documents.push({ value, file, lineOf: (path) => lineOf(document, lines, path) })
    if (!isMap(document.contents)) {
      const message = 'A document has a kind, a name and a spec.'
      problems.push({ file, line: lineOf(document, lines, ''), path: '', message })
    }
  }
}

function lineOf(document: Document, lines: LineCounter, path: string): number {
  const parts = path === '' ? [] : path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  for (let count = parts.length; count >= 0; count -= 1) {
    const start = startOf(document, parts.slice(0, count))
    if (start !== undefined) return lines.linePos(start).line
  }
  return 1
}

/** Where a field begins: its key, else its value. */
function startOf(document: Document, path: readonly (string | number)[]): number | undefined {
  const parent: unknown = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true)
  const last = path.at(-1)
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => String(key) === String(last))
    return isNode(pair?.key) ? pair.key.range?.[0] : undefined
  }
  const node: unknown = path.length === 0 ? document.contents : document.getIn([...path], true)
  return isNode(node) ? node.range?.[0] : undefined
}
