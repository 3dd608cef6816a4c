import type { FieldPath } from './field-owners.ts'

/** A place in block YAML, found by indentation alone, so that it is known while the text is still being written. */
export interface YamlContext {
  /** From the root of the document to the map or list that the line belongs to. */
  parents: FieldPath
  /** The key on the line, or what is typed of it. */
  key: string
  /** Whether the place is behind the colon of `key`. */
  isValue: boolean
  /** What of the key or value stands before the place, and where that begins. */
  typed: string
  from: number
  /** The column of the key. */
  column: number
  /** The text of the document that the place is in, and where it begins. */
  document: string
  documentFrom: number
}

type Token = { column: number } & ({ type: 'key'; key: string } | { type: 'item' })

const linePattern = /^(\s*(?:-\s+)*)([^\s#:'"{[\]}-][^:#]*?|"[^"]*"|'[^']*')(\s*:)(?=\s|$)/

/** Reads the place from its line and the lines above; undefined inside comments. */
export function yamlContext(text: string, at: number): YamlContext | undefined {
  const { document, documentFrom } = documentAround(text, at)
  const place = at - documentFrom
  const lineFrom = document.lastIndexOf('\n', place - 1) + 1
  const before = document.slice(lineFrom, place)
  if (/(^|\s)#/.test(before)) return undefined
  const lead = /^\s*(?:-(?:\s+|$))*/.exec(before)?.[0] ?? ''
  const behind = linePattern.exec(before)
  const value = behind ? before.slice(behind[0].length) : ''
  const typed = behind ? value.trimStart() : before.slice(lead.length)
  const above = document.slice(0, lineFrom).split('\n').slice(0, -1).flatMap(tokensOf)
  return {
    parents: parentsOf([...above, ...itemsOf(lead)], lead.length),
    key: unquoted(behind?.[2] ?? typed),
    isValue: behind !== null,
    typed,
    from: at - typed.length,
    column: lead.length,
    document,
    documentFrom,
  }
}

function tokensOf(line: string): Token[] {
  if (line.trim() === '' || line.trimStart().startsWith('#')) return []
  const found = linePattern.exec(line)
  const lead = found?.[1] ?? /^\s*(?:-(?:\s+|$))*/.exec(line)?.[0] ?? ''
  const key: Token[] = found ? [{ type: 'key', column: lead.length, key: unquoted(found[2] ?? '') }] : []
  return [...itemsOf(lead), ...key]
}

function itemsOf(lead: string): Token[] {
  return lead
    .split('')
    .flatMap((letter, column) => (letter === '-' ? [{ type: 'item' as const, column }] : []))
}

/** The keys and indices that lead to a key in `column`, by the lines above it. */
function parentsOf(tokens: readonly Token[], column: number): FieldPath {
  const path: (string | number)[] = []
  let current: Token = { type: 'key', column, key: '' }
  for (const token of tokens.toReversed()) {
    const isSibling = current.type === 'item' && token.type === 'item' && token.column === current.column
    if (isSibling) {
      path[0] = Number(path[0]) + 1
      continue
    }
    // An item may stand in the column of the key that holds its list.
    const isOutside =
      token.column < current.column ||
      (current.type === 'item' && token.type === 'key' && token.column === current.column)
    if (!isOutside) continue
    path.unshift(token.type === 'key' ? token.key : 0)
    current = token
  }
  return path
}

function documentAround(text: string, at: number): { document: string; documentFrom: number } {
  let documentFrom = 0
  let end = text.length
  for (const match of text.matchAll(/^---.*$/gm)) {
    const behind = match.index + match[0].length + 1
    if (behind <= at) documentFrom = behind
    else if (match.index >= at) {
      end = match.index
      break
    }
  }
  return { document: text.slice(documentFrom, end), documentFrom }
}

function unquoted(key: string): string {
  return key.trim().replace(/^(["'])(.*)\1$/, '$2')
}

/** A value at the top of a document, such as that of `kind`, even while the rest cannot be parsed. */
export function topValue(document: string, key: string): string | undefined {
  return new RegExp(`^${key}:[ \\t]*["']?([^"'\\s#]+)`, 'm').exec(document)?.[1]
}
