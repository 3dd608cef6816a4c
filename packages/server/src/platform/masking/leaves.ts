import { readStructure, type Structure } from './structured-value.ts'

/** A part of a value that must not be shown. */
export type Leaf = {
  /** Text, or bytes that are none. */
  content: string | Buffer
  /**
   * Structured texts contain names that say nothing, such as `apiVersion`: of them long passages alone are recognized,
   * and their leaves each. Of any other text every passage is.
   */
  isStructured: boolean
}

/** Shorter leaves stand in ordinary words. */
export const shortestLeaf = 4
/** A leaf may be JSON within YAML within base64. */
const maxDepth = 4
/** Bytes of fewer characters of base64 are as likely a word. */
const shortestBytes = 16

/** The value, every leaf of it in the formats that secrets have, its lines, and what stands in it as base64. */
export function* leavesOf(value: string, depth = 0): Generator<Leaf> {
  if (value.trim().length < shortestLeaf) return
  const structure = readStructure(value)
  const isStructured = structure !== undefined && typeof structure !== 'string'
  for (const content of new Set([value, value.trim()])) yield { content, isStructured }
  if (depth >= maxDepth) return
  if (structure !== undefined) for (const text of textsOf(structure)) yield* leavesOf(text, depth + 1)
  if (!isStructured) {
    for (const text of partsOf(value)) yield* leavesOf(text, depth + 1)
    yield* decoded(value, depth)
  }
  yield* linesOf(value, isStructured)
}

function* textsOf(structure: Structure): Generator<string> {
  if (typeof structure === 'string') yield structure
  else for (const member of Object.values(structure)) yield* textsOf(member)
}

/** A line of a structured text is mostly a name; from this length on it is recognized by itself. */
const shortestStructuredLine = 12

function* linesOf(value: string, isStructured: boolean): Generator<Leaf> {
  const lines = value.split(/\r\n|[\n\r]/)
  if (lines.length < 2) return
  for (const line of lines) {
    const content = line.trim()
    if (content.length >= (isStructured ? shortestStructuredLine : shortestLeaf)) {
      yield { content, isStructured }
    }
  }
}

/** Passwords within an address, the values of `name=value` within a connection string, and what stands in quotes. */
function* partsOf(value: string): Generator<string> {
  const [, user = '', password = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^\s:@/]*):([^\s@]*)@/i.exec(value) ?? []
  for (const part of [user, password]) {
    if (part === '') continue
    yield part
    yield decodedPercent(part)
  }
  for (const [, quoted = '', plain = ''] of value.matchAll(/[\w.-]=(?:["']([^"'\n]+)["']|([^\s;&"',]+))/g)) {
    yield quoted
    yield plain
    yield decodedPercent(plain)
  }
  for (const [, text = ''] of value.matchAll(/"((?:\\.|[^"\\\n])*)"/g)) yield text
}

function decodedPercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that is itself.
    return text
  }
}

function* decoded(value: string, depth: number): Generator<Leaf> {
  const compact = value.replaceAll(/\s+/g, '')
  if (!/^[\w+/-]{8,}={0,2}$/.test(compact)) return
  const bytes = Buffer.from(compact, 'base64')
  // Without padding it is the same value.
  const unpadded = compact.replace(/=+$/, '')
  if (unpadded !== value) yield { content: unpadded, isStructured: false }
  const text = bytes.toString('utf8')
  if (isPrintable(text)) {
    yield* leavesOf(text, depth + 1)
    // What stands in the header of basic authentication.
    const [, password] = /^[^\s:]+:(\S+)$/.exec(text) ?? []
    if (password !== undefined) yield* leavesOf(password, depth + 1)
  } else if (compact.length >= shortestBytes) {
    yield { content: bytes, isStructured: false }
  }
}

function isPrintable(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- bytes that are no text become such characters
  return !/[\u0000-\u0008\u000E-\u001F\uFFFD]/.test(text)
}
