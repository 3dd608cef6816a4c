/** A statement with its parameters as PostgreSQL takes them. */
export type ParameterizedSql = {
  /** The statement with `$1`, `$2`, … in the places of its named parameters. */
  text: string
  /** Names in the order of their numbers, each once. */
  names: string[]
  /** Why the statement cannot be executed with parameters, as a sentence; undefined where it can. */
  refusal: string | undefined
  /** The place in the statement as it was written of one in `text`; both from 0, in UTF-16 units. */
  originalOffset: (offset: number) => number
}

/** Parameters of one statement. */
export const maxSqlParameters = 50

type Found = { name: string; at: number; until: number }
type Scan = { parameters: Found[]; isNumbered: boolean; first: string; inBlock: boolean }

/**
 * Finds `:name` outside of strings, quoted names, comments, casts (`::`) and slices of arrays (`a[1:n]`), and puts numbers in
 * their places, so that values are bound and never become part of the statement. After the lexical rules of PostgreSQL
 * (https://www.postgresql.org/docs/current/sql-syntax-lexical.html) with `standard_conforming_strings` on.
 */
export function parameterizeSql(statement: string): ParameterizedSql {
  const { parameters, isNumbered, inBlock } = scan(statement)
  const names = [...new Set(parameters.map(({ name }) => name))]
  const parts: string[] = []
  const moves: { from: number; by: number }[] = []
  let copied = 0
  let length = 0
  for (const { name, at, until } of parameters) {
    const number = `$${names.indexOf(name) + 1}`
    // Behind a letter or digit the number would become part of that word.
    const text = /[\w$\u0080-\uFFFF]/.test(statement[at - 1] ?? ' ') ? ` ${number}` : number
    parts.push(statement.slice(copied, at), text)
    length += at - copied + text.length
    copied = until
    moves.push({ from: length, by: copied - length })
  }
  parts.push(statement.slice(copied))
  return {
    text: parts.join(''),
    names,
    refusal: refusalOf(names, isNumbered, inBlock),
    originalOffset: (offset) => offset + (moves.findLast(({ from }) => from <= offset)?.by ?? 0),
  }
}

function refusalOf(names: readonly string[], isNumbered: boolean, inBlock: boolean): string | undefined {
  if (inBlock) {
    return 'A DO block takes no parameters: its code is a text that PostgreSQL reads for itself. Write the value into it, or use a query.'
  }
  if (names.length > maxSqlParameters) return `A statement takes at most ${maxSqlParameters} parameters.`
  if (names.length > 0 && isNumbered) {
    return 'The statement has parameters by name and by number. Use names such as :region alone.'
  }
  return undefined
}

/** Reads a statement from its beginning to its end, a token at a time. */
function scan(statement: string): Scan {
  const parameters: Found[] = []
  const open: ('round' | 'array' | 'subscript')[] = []
  let isNumbered = false
  let inBlock = false
  let first = ''
  let word = ''
  let at = 0
  while (at < statement.length) {
    const skipped = endOfSkipped(statement, at)
    if (skipped !== undefined) {
      if (first === 'do' && /['$]/.test(statement[at] ?? '')) {
        inBlock ||= scan(bodyOf(statement.slice(at, skipped))).parameters.length > 0
      }
      // A text or a quoted name is an operand, so a bracket behind it is a subscript.
      if (!/[-/]/.test(statement[at] ?? '')) word = 'operand'
      at = skipped
      continue
    }
    const rest = statement.slice(at, at + 200)
    const read = /^(?:[A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*|\d[\w.]*)/.exec(rest)?.[0]
    if (read !== undefined) {
      word = read.toLowerCase()
      first ||= word
      at += read.length
      continue
    }
    const parameter = /^:([A-Za-z_]\w{0,62})/.exec(rest)
    if (parameter?.[1] !== undefined && open.at(-1) !== 'subscript') {
      const until = at + parameter[0].length
      parameters.push({ name: parameter[1], at, until })
      word = 'operand'
      at = until
      continue
    }
    if (/^\$\d/.test(rest)) isNumbered = true
    const sign = rest[0] ?? ''
    if (sign === '(') open.push('round')
    if (sign === '[')
      open.push(word === 'array' || (word === '' && open.at(-1) === 'array') ? 'array' : 'subscript')
    if (sign === ')' || sign === ']') open.pop()
    if (!/\s/.test(sign)) word = sign === ')' || sign === ']' ? 'operand' : ''
    at += rest.startsWith('::') ? 2 : 1
  }
  return { parameters, isNumbered, first, inBlock }
}

/** The end of a comment, text or quoted name that begins here; undefined where none does. An open one ends with the statement. */
function endOfSkipped(statement: string, at: number): number | undefined {
  const two = statement.slice(at, at + 2)
  if (two === '--') {
    const end = statement.indexOf('\n', at)
    return end < 0 ? statement.length : end
  }
  if (two === '/*') return endOfComment(statement, at)
  if (two[0] === '"') return endOfQuoted(statement, at + 1, '"', false)
  if (two[0] === "'") return endOfQuoted(statement, at + 1, "'", false)
  const before = statement[at - 1] ?? ' '
  if (/[\w$\u0080-\uFFFF]/.test(before)) return undefined
  if (/^e'/i.test(two)) return endOfQuoted(statement, at + 2, "'", true)
  if (two[0] !== '$') return undefined
  const tag = /^\$(?:[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*)?\$/.exec(statement.slice(at, at + 200))?.[0]
  if (tag === undefined) return undefined
  const end = statement.indexOf(tag, at + tag.length)
  return end < 0 ? statement.length : end + tag.length
}

/** Comments of this kind nest. */
function endOfComment(statement: string, from: number): number {
  let depth = 0
  for (const sign of statement.slice(from).matchAll(/\/\*|\*\//g)) {
    depth += sign[0] === '/*' ? 1 : -1
    if (depth === 0) return from + sign.index + 2
  }
  return statement.length
}

function endOfQuoted(statement: string, from: number, quote: string, hasEscapes: boolean): number {
  for (let at = from; at < statement.length; at += 1) {
    if (hasEscapes && statement[at] === '\\') at += 1
    else if (statement[at] === quote) {
      if (statement[at + 1] !== quote) return at + 1
      at += 1
    }
  }
  return statement.length
}

/** What stands between the quotes of the code of a DO block. */
function bodyOf(literal: string): string {
  const tag = /^\$[^$]*\$/.exec(literal)?.[0]
  return tag === undefined ? literal.replace(/^e?'/i, '').replaceAll("''", "'") : literal.slice(tag.length)
}
