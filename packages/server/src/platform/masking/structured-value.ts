import { parseAllDocuments } from 'yaml'

/** What a value holds that is written in JSON, YAML, dotenv or properties: maps, lists and texts. */
export type Structure = readonly Structure[] | { readonly [name: string]: Structure } | string

/**
 * Reads a value as the format that it is written in; undefined where it is a text without parts. Numbers are texts as
 * they are written, and what has no text (true, false, null) is left out.
 */
export function readStructure(text: string): Structure | undefined {
  return readJson(text) ?? readYaml(text) ?? readPairs(text)
}

/** The text at a path such as `users.0.token`; undefined where there is none. Maps and lists are answered as JSON. */
export function memberAt(text: string, path: string): string | undefined {
  let at = readStructure(text)
  for (const name of path.split('.')) {
    if (at === undefined || typeof at === 'string' || !Object.hasOwn(at, name)) return undefined
    at = Array.isArray(at) ? at[Number(name)] : (at as Record<string, Structure>)[name]
  }
  return at === undefined || typeof at === 'string' ? at : JSON.stringify(at)
}

/** Deeper texts are not read: they are no file that people keep, and reading them takes long. */
const maxDepth = 200

function readJson(text: string): Structure | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    // The source keeps digits that a number loses.
    const parsed: unknown = JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    )
    return structureOf(parsed)
  } catch {
    // Not JSON, or nested too deeply for the parser.
    return undefined
  }
}

/** A map's or a list's first line; a plain text is YAML as well, and has no parts. */
const looksLikeYaml = /^[ \t]*(?:-[ \t]+\S|[^\s:#"'[{][^\n:]{0,200}:(?:[ \t]|\r?$)|["'[{])/m

function readYaml(text: string): Structure | undefined {
  if (!looksLikeYaml.test(text) || isTooDeep(text)) return undefined
  try {
    const documents = parseAllDocuments(text, { schema: 'failsafe', logLevel: 'silent' })
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined
    const values = documents.map((document): unknown => document.toJS({ maxAliasCount: 100 }))
    const found = structureOf(values.length === 1 ? values[0] : values)
    return typeof found === 'string' ? undefined : found
  } catch {
    // Too many aliases, or nested too deeply.
    return undefined
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [char] of text.matchAll(/[[{\]}]/g)) {
    depth += char === '[' || char === '{' ? 1 : -1
    if (depth > maxDepth) return true
  }
  return /(?:[-?:][ \t\r\n]+){200}/.test(text)
}

function structureOf(value: unknown, depth = 0): Structure | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const read = structureOf(member, depth + 1)
    return read === undefined ? [] : [[name, read] as const]
  })
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

const pair =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w./@-]{0,199})[ \t]*(?:=(?!=[ \t]*\r?$)|:(?!\/\/))[ \t]*("(?:\\[^]|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n]*)/gm

/** dotenv and properties: `NAME=value` on each line, with comments, quotes and lines that go on behind a backslash. */
function readPairs(text: string): Structure | undefined {
  const joined = text.replaceAll(/\\\r?\n[ \t]*/g, '')
  const pairs = [...joined.matchAll(pair)].map(
    ([, name = '', value = '']) => [name, unquoted(value)] as const,
  )
  const rest = joined
    .replaceAll(pair, '')
    .split('\n')
    .map((line) => line.trim())
  const isFile = rest.every((line) => /^(?:$|[#!;[])/.test(line) || isComment(line))
  return pairs.length > 0 && isFile && pairs.some(([, value]) => value !== '')
    ? Object.fromEntries(pairs)
    : undefined
}

/** What stands behind a quoted value. */
function isComment(line: string): boolean {
  return line.startsWith('#') || line.startsWith('//')
}

function unquoted(value: string): string {
  const [, quote, inner = ''] = /^(["'`])([^]*)\1$/.exec(value.trim()) ?? []
  if (quote === undefined) return unescaped(value.replace(/[ \t]+#.*$/, '').trim())
  return quote === '"' ? unescaped(inner) : inner
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_all, code?: string, char = '') =>
    code === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
