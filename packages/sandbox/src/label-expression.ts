import { checkKey, checkLabels } from './registry/names.ts'
import { badRequest, type Cause } from './status-error.ts'

/** One of the terms of a label selector. */
export type Requirement = {
  key: string
  operator: 'exists' | '!' | 'in' | 'notin' | '=' | '==' | '!=' | '>' | '<'
  values: readonly string[]
}

type Token = { kind: 'identifier' | 'symbol' | 'end'; text: string }

const symbols = new Set([')', ',', '!', '==', '=', '!=', '(', '>', '<'])
const operators = ['in', 'notin', '=', '==', '!=', '>', '<'] as const

class Refusal extends Error {}

function lex(text: string): Token[] {
  const tokens: Token[] = []
  for (const [piece] of text.matchAll(/[=!(),><]+|[^\s=!(),><]+/g)) {
    if (!/^[=!(),><]/.test(piece)) {
      tokens.push({ kind: 'identifier', text: piece })
      continue
    }
    for (let rest = piece; rest !== '';) {
      const length = symbols.has(rest.slice(0, 2)) ? 2 : 1
      tokens.push({ kind: 'symbol', text: rest.slice(0, length) })
      rest = rest.slice(length)
    }
  }
  return [...tokens, { kind: 'end', text: '' }]
}

/** The grammar of label selectors, and what an API server says where a text does not follow it. */
class Parser {
  readonly #tokens: Token[]
  #at = 0

  constructor(text: string) {
    this.#tokens = lex(text)
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  take(): Token {
    const token = this.next
    this.#at += 1
    return token
  }

  all(): Requirement[] {
    const found: Requirement[] = []
    for (;;) {
      if (this.next.kind === 'end') return found
      if (!this.#beginsTerm())
        throw new Refusal(`${foundText(this.next)}, expected: !, identifier, or 'end of string'`)
      try {
        found.push(this.#requirement())
      } catch (error) {
        if (error instanceof Refusal) error.message = `unable to parse requirement: ${error.message}`
        throw error
      }
      const after = this.take()
      if (after.kind === 'end') return found
      if (after.text !== ',') throw new Refusal(`${foundText(after)}, expected: ',' or 'end of string'`)
      if (!this.#beginsTerm()) throw new Refusal(`${foundText(this.next)}, expected: identifier after ','`)
    }
  }

  #beginsTerm(): boolean {
    return this.next.kind === 'identifier' || this.next.text === '!'
  }

  #requirement(): Requirement {
    const isAbsent = this.next.text === '!'
    if (isAbsent) this.take()
    const { kind, text: key } = this.take()
    if (kind !== 'identifier') throw new Refusal(`found '${key}', expected: identifier`)
    refuse(checkKey(key, '<nil>'))
    if (this.next.kind === 'end' || this.next.text === ',')
      return { key, operator: isAbsent ? '!' : 'exists', values: [] }
    if (isAbsent) return { key, operator: '!', values: [] }
    const taken = this.take()
    const operator = operators.find((one) => one === taken.text)
    if (!operator) throw new Refusal(`${foundText(taken)}, expected: in, notin, =, ==, !=, gt, lt`)
    const values = operator === 'in' || operator === 'notin' ? this.#list() : [this.#value()]
    for (const [i, value] of values.entries()) refuse(checkLabels({ [key]: value }, `values[${i}][${key}]`))
    const isOrder = operator === '>' || operator === '<'
    if (isOrder && !/^[+-]?\d+$/.test(values[0] ?? '')) {
      const why = "for 'Gt', 'Lt' operators, the value must be an integer"
      throw new Refusal(`values[0]: Invalid value: ${JSON.stringify(values[0])}: ${why}`)
    }
    return { key, operator, values }
  }

  #value(): string {
    if (this.next.kind === 'end' || this.next.text === ',') return ''
    const { kind, text } = this.take()
    if (kind !== 'identifier') throw new Refusal(`found '${text}', expected: identifier`)
    return text
  }

  #list(): string[] {
    const open = this.take()
    if (open.text !== '(') throw new Refusal(`${foundText(open)} expected: '('`)
    const first = this.next
    if (first.text === ')') {
      this.take()
      return ['']
    }
    if (first.kind !== 'identifier' && first.text !== ',')
      throw new Refusal(`${foundText(first)}, expected: ',', ')' or identifier`)
    const values = new Set<string>()
    for (;;) {
      // Nothing between two commas, or beside one, is the empty value.
      if (this.next.kind === 'identifier') values.add(this.take().text)
      else if (this.next.text === ',' || this.next.text === ')') values.add('')
      else throw new Refusal(`${foundText(this.next)}, expected: ',', or identifier`)
      const after = this.take()
      if (after.text === ')') return [...values]
      if (after.text !== ',') throw new Refusal(`${foundText(after)}, expected: ',' or ')'`)
    }
  }
}

function foundText({ text }: Token): string {
  return `found '${text}'`
}

function refuse([cause]: Cause[]): void {
  if (cause) throw new Refusal(`${cause.field}: ${cause.message}`)
}

/** Parses `app=web,tier in (a,b),!canary`. Throws 400, in the words of an API server, when it does not parse. */
export function parseRequirements(text: string): Requirement[] {
  try {
    return new Parser(text).all()
  } catch (error) {
    if (error instanceof Refusal) throw badRequest(error.message)
    throw error
  }
}
