import { deepest, SyntaxProblem, tokensOf, unfinished } from './shell-tokens.ts'

/**
 * Where a command's output goes, or its input comes from; `descriptor` 3 means both outputs. The target of `<<` is
 * the text itself, that of `<<'` a text in which nothing is replaced.
 */
export type Redirect = {
  mode: '>' | '>>' | '<' | '<<' | "<<'" | 'copy'
  descriptor: number
  target: string
}

export type Node =
  | { type: 'simple'; words: string[] }
  | { type: 'for'; variable: string; items: string[]; body: List }
  | { type: 'while'; isUntil: boolean; condition: List; body: List }
  | { type: 'if'; branches: { condition: List; body: List }[]; otherwise: List }
  | { type: 'case'; word: string; branches: { patterns: string[]; body: List }[] }
  | { type: 'function'; name: string; body: Stage }
  | { type: 'group' | 'subshell'; body: List }

export type Stage = { node: Node; redirects: Redirect[] }
type Step = { joint: string; isNegated: boolean; stages: Stage[] }
export type List = Step[]

const separators = new Set([';', '\n', '&'])
const closing = new Set(['do', 'done', 'then', 'elif', 'else', 'fi', 'esac', '}'])
const variableName = /^[A-Za-z_]\w*$/

/** Reads a script of a POSIX shell, as far as this one goes. Throws SyntaxProblem. */
export function parse(text: string): List {
  const tokens = tokensOf(text)
  let at = 0
  let depth = 0

  const isOperator = (...texts: string[]) =>
    tokens[at]?.isOperator === true && texts.includes(tokens[at]?.text ?? '')
  const isWord = (word: string) => tokens[at]?.isOperator === false && tokens[at]?.text === word
  const take = () => tokens[at++]
  const skipLines = () => {
    while (isOperator(';', '\n')) at += 1
  }
  const unexpected = () => {
    const token = tokens[at]
    if (!token) return unfinished()
    if (!token.isOperator) return new SyntaxProblem(`syntax error: unexpected "${token.text}"`)
    const what = token.text === '\n' ? 'newline' : /[<>]/.test(token.text) ? 'redirection' : `"${token.text}"`
    return new SyntaxProblem(`syntax error: unexpected ${what}`)
  }
  const expect = (word: string) => {
    skipLines()
    if (!isWord(word)) throw unexpected()
    at += 1
  }

  function list(): List {
    if (++depth > deepest) throw new SyntaxProblem('syntax error: nested too deeply')
    const steps: List = []
    let joint = ';'
    for (;;) {
      if (joint === ';') skipLines()
      else while (isOperator('\n')) at += 1
      const token = tokens[at]
      if (!token || (!token.isOperator && closing.has(token.text)) || isOperator(')', ';;')) {
        if (joint !== ';') throw unexpected()
        break
      }
      const isNegated = isWord('!')
      if (isNegated) at += 1
      const stages = [stage()]
      while (isOperator('|')) {
        at += 1
        stages.push(stage())
      }
      steps.push({ joint, isNegated, stages })
      const next = tokens[at]
      if (next?.isOperator && separators.has(next.text)) {
        at += 1
        joint = ';'
      } else if (isOperator('&&', '||')) joint = take()?.text ?? ';'
      else if (!next || isOperator(')', ';;') || closing.has(next.text)) joint = ';'
      else throw unexpected()
    }
    depth -= 1
    return steps
  }

  function redirect(): Redirect {
    const { text: sign = '' } = take() ?? {}
    const copied = /^(\d?)>&(\d)$/.exec(sign)
    if (copied) return { mode: 'copy', descriptor: Number(copied[1] || 1), target: copied[2] ?? '1' }
    const target = tokens[at]
    if (target?.isOperator !== false) throw unexpected()
    at += 1
    if (target.body !== undefined)
      return { mode: /['"\\]/.test(target.text) ? "<<'" : '<<', descriptor: 0, target: target.body }
    const mode = sign.endsWith('>>') ? '>>' : sign.endsWith('>') ? '>' : '<'
    const descriptor = sign.startsWith('&') ? 3 : /^\d/.test(sign) ? Number(sign[0]) : 1
    return { mode, descriptor, target: target.text }
  }

  const atRedirect = () => tokens[at]?.isOperator === true && /[<>]/.test(tokens[at]?.text ?? '')

  function stage(): Stage {
    while (isOperator('\n')) at += 1
    const redirects: Redirect[] = []
    const compound = compoundNode()
    if (compound) {
      while (atRedirect()) redirects.push(redirect())
      return { node: compound, redirects }
    }
    const words: string[] = []
    for (let token = tokens[at]; token; token = tokens[at]) {
      if (atRedirect()) redirects.push(redirect())
      else if (token.isOperator) break
      else {
        words.push(token.text)
        at += 1
      }
    }
    if (words.length === 0 && redirects.length === 0) throw unexpected()
    return { node: { type: 'simple', words }, redirects }
  }

  function block(): List {
    expect('do')
    const body = list()
    expect('done')
    return body
  }

  function caseNode(): Node {
    at += 1
    if (tokens[at]?.isOperator !== false) throw unexpected()
    const word = take()?.text ?? ''
    expect('in')
    const branches: { patterns: string[]; body: List }[] = []
    for (skipLines(); !isWord('esac'); skipLines()) {
      if (isOperator('(')) at += 1
      const patterns: string[] = []
      do {
        if (patterns.length > 0) at += 1
        if (tokens[at]?.isOperator !== false) throw unexpected()
        patterns.push(take()?.text ?? '')
      } while (isOperator('|'))
      if (!isOperator(')')) throw unexpected()
      at += 1
      branches.push({ patterns, body: list() })
      if (isOperator(';;')) at += 1
      else if (!isWord('esac')) throw unexpected()
    }
    at += 1
    return { type: 'case', word, branches }
  }

  function functionNode(): Node {
    const name = take()?.text ?? ''
    at += 2
    while (isOperator('\n')) at += 1
    const redirects: Redirect[] = []
    const node = compoundNode()
    if (!node) throw unexpected()
    while (atRedirect()) redirects.push(redirect())
    return { type: 'function', name, body: { node, redirects } }
  }

  const atFunction = () =>
    tokens[at]?.isOperator === false &&
    variableName.test(tokens[at]?.text ?? '') &&
    tokens[at + 1]?.text === '(' &&
    tokens[at + 2]?.text === ')'

  function compoundNode(): Node | undefined {
    if (atFunction()) return functionNode()
    if (isWord('case')) return caseNode()
    if (isOperator('(') || isWord('{')) {
      const isBrace = isWord('{')
      at += 1
      const body = list()
      if (isBrace) expect('}')
      else if (isOperator(')')) at += 1
      else throw unexpected()
      return { type: isBrace ? 'group' : 'subshell', body }
    }
    if (isWord('while') || isWord('until')) {
      const isUntil = take()?.text === 'until'
      const condition = list()
      return { type: 'while', isUntil, condition, body: block() }
    }
    if (isWord('for')) {
      at += 1
      const variable = take()?.text ?? ''
      if (!variableName.test(variable)) throw new SyntaxProblem('syntax error: bad for loop variable')
      const items: string[] = []
      while (isOperator('\n')) at += 1
      if (!isWord('in')) items.push('"$@"')
      else {
        at += 1
        while (tokens[at]?.isOperator === false) items.push(take()?.text ?? '')
      }
      return { type: 'for', variable, items, body: block() }
    }
    if (!isWord('if')) return undefined
    at += 1
    const branches: { condition: List; body: List }[] = []
    let otherwise: List = []
    for (;;) {
      const condition = list()
      expect('then')
      branches.push({ condition, body: list() })
      if (isWord('elif')) {
        at += 1
        continue
      }
      if (isWord('else')) {
        at += 1
        otherwise = list()
      }
      expect('fi')
      return { type: 'if', branches, otherwise }
    }
  }

  const steps = list()
  if (at < tokens.length) throw unexpected()
  return steps
}
