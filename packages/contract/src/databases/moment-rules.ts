/** Statements that remove or rewrite data, or change what holds it. */
export const changeVerbs = [
  'drop_table',
  'drop',
  'truncate',
  'delete',
  'update',
  'merge',
  'alter_table',
  'alter',
] as const
export type ChangeVerb = (typeof changeVerbs)[number]

/** How many moments are listed, and how long they are looked for, in days. */
export const momentLimits = { listed: 50, days: 14 } as const

export type TableName = { schema: string | null; name: string }

/** What a statement does, without its values. */
export type StatementChange = {
  verb: ChangeVerb
  /** "DROP TABLE price_rules". */
  text: string
  /** The table that it names first; null where it names none. The schema is null where it names none. */
  table: TableName | null
}

const part = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`
const qualified = String.raw`(${part})(?:\s*\.\s*(${part}))?`
const [maxName, maxText] = [63, 160]

const forms: readonly { verb: ChangeVerb; words: string; pattern: RegExp }[] = [
  { verb: 'drop_table', words: 'DROP TABLE', pattern: form(String.raw`drop\s+table(?:\s+if\s+exists)?`) },
  { verb: 'truncate', words: 'TRUNCATE', pattern: form(String.raw`truncate(?:\s+table)?(?:\s+only)?`) },
  { verb: 'delete', words: 'DELETE FROM', pattern: form(String.raw`delete\s+from(?:\s+only)?`) },
  { verb: 'update', words: 'UPDATE', pattern: form(String.raw`update(?:\s+only)?`) },
  { verb: 'merge', words: 'MERGE INTO', pattern: form(String.raw`merge\s+into(?:\s+only)?`) },
  {
    verb: 'alter_table',
    words: 'ALTER TABLE',
    pattern: form(String.raw`alter\s+table(?:\s+if\s+exists)?(?:\s+only)?`),
  },
]

function form(words: string): RegExp {
  return new RegExp(String.raw`^${words}\s+${qualified}`, 'iu')
}

/**
 * What a statement removes, rewrites or changes; undefined for one that only reads or adds. It is read from its beginning, so
 * what hides in a function or a common table expression is not seen.
 */
export function changeOfStatement(statement: string): StatementChange | undefined {
  const text = withoutComments(statement)
  for (const { verb, words, pattern } of forms) {
    const found = pattern.exec(text)
    if (found === null) continue
    const [, first = '', second] = found
    const table = second === undefined ? { schema: null, name: nameOf(first) } : pair(first, second)
    return { verb, text: `${words} ${tableText(table)}`.slice(0, maxText), table }
  }
  const other = /^(drop|alter)\s+([a-z]+(?:\s+[a-z]+)?)/i.exec(text)
  if (other === null) return undefined
  const [, verb = '', thing = ''] = other
  const words = `${verb} ${thing.split(/\s+/)[0] ?? ''}`.toUpperCase()
  return { verb: verb.toLowerCase() === 'drop' ? 'drop' : 'alter', text: words, table: null }
}

const pair = (schema: string, name: string): TableName => ({ schema: nameOf(schema), name: nameOf(name) })

function withoutComments(statement: string): string {
  let text = statement.trimStart()
  for (;;) {
    const next = text.replace(/^(?:--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)/, '').trimStart()
    if (next === text) return text
    text = next
  }
}

/** An identifier as the server keeps it: in lower case, unless it is quoted. */
function nameOf(identifier: string): string {
  const name = identifier.startsWith('"')
    ? identifier.slice(1, -1).replaceAll('""', '"')
    : identifier.toLowerCase()
  return name.slice(0, maxName)
}

/** A table as people write it, without the schema where that is `public` or not known. */
export const tableText = ({ schema, name }: TableName): string =>
  schema === null || schema === 'public' ? name : `${schema}.${name}`
