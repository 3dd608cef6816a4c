/** A script that cannot be read. `isUnfinished` when more lines might complete it. */
export class SyntaxProblem extends Error {
  readonly isUnfinished: boolean

  constructor(message: string, isUnfinished = false) {
    super(message)
    this.isUnfinished = isUnfinished
  }
}

/** A word as written, or an operator; `body` is what stands below a `<<`, on the word that ends it. */
export type Token = { text: string; isOperator: boolean; body?: string }

const operator = /[0-9]?>&[0-9]|&>|[0-9]?>>|[0-9]?>|<<-?|<|&&|\|\||;;|[;|&()\n]/y
export const unfinished = () => new SyntaxProblem('syntax error: unexpected end of file', true)
export const deepest = 32

/** The end of what opens at `at`: a quote, `$(…)`, `$((…))`, `${…}` or a backquote. */
function endOf(text: string, at: number, depth = 0): number {
  const open = text[at]
  if (depth > deepest) throw new SyntaxProblem('syntax error: nested too deeply')
  if (open === "'" || open === '`') {
    const end = text.indexOf(open, at + 1)
    if (end < 0) throw unfinished()
    return end + 1
  }
  const close = open === '"' ? '"' : text[at + 1] === '{' ? '}' : ')'
  let i = open === '"' ? at + 1 : at + 2
  let nested = 0
  while (i < text.length) {
    const mark = text[i]
    if (mark === close && nested === 0) return i + 1
    if (close === ')' && mark === ')') nested -= 1
    if (close === ')' && mark === '(') nested += 1
    if (mark === '\\') i += 2
    else if (opensAt(text, i) && !(close === '"' && (mark === '"' || mark === "'")))
      i = endOf(text, i, depth + 1)
    else i += 1
  }
  throw unfinished()
}

function opensAt(text: string, at: number): boolean {
  const mark = text[at]
  if (mark === '$') return text[at + 1] === '(' || text[at + 1] === '{'
  return mark === "'" || mark === '"' || mark === '`'
}

/** The end of the quoted or substituted part that begins here, or undefined for a plain character. */
export function partEnd(text: string, at: number): number | undefined {
  return opensAt(text, at) ? endOf(text, at) : undefined
}

/** What stands between the line of a `<<` and the line that is its word, with the place after that. */
function readBody(text: string, at: number, word: string, isStripped: boolean): [body: string, end: number] {
  const mark = word.replaceAll(/['"\\]/g, '')
  let body = ''
  for (let i = at; i < text.length;) {
    const newline = text.indexOf('\n', i)
    const end = newline < 0 ? text.length : newline
    const line = isStripped ? text.slice(i, end).replace(/^\t+/, '') : text.slice(i, end)
    if (line === mark) return [body, end]
    body += `${line}\n`
    i = end + 1
  }
  throw unfinished()
}

/** Cuts a script into words and operators. Throws SyntaxProblem where something is not closed. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const waiting: { word: Token; isStripped: boolean }[] = []
  let i = 0
  const readBodies = () => {
    for (const { word, isStripped } of waiting.splice(0)) {
      const [body, end] = readBody(text, i, word.text, isStripped)
      word.body = body
      i = Math.min(end + 1, text.length)
    }
  }
  while (i < text.length) {
    if (text[i] === ' ' || text[i] === '\t' || text[i] === '\r') {
      i += 1
      continue
    }
    if (text[i] === '\\' && text[i + 1] === '\n') {
      i += 2
      continue
    }
    if (text[i] === '#') {
      while (i < text.length && text[i] !== '\n') i += 1
      continue
    }
    operator.lastIndex = i
    const found = operator.exec(text)?.[0]
    if (found !== undefined) {
      tokens.push({ text: found, isOperator: true })
      i += found.length
      if (found === '\n') readBodies()
      continue
    }
    const start = i
    while (i < text.length && !/[\s;|&()<>]/.test(text[i] ?? '')) {
      if (text[i] === '\\') i += 2
      else i = partEnd(text, i) ?? i + 1
    }
    const word: Token = { text: text.slice(start, i), isOperator: false }
    const before = tokens.at(-1)
    if (before?.isOperator && before.text.startsWith('<<'))
      waiting.push({ word, isStripped: before.text === '<<-' })
    tokens.push(word)
  }
  if (waiting.length > 0) throw unfinished()
  return tokens
}
