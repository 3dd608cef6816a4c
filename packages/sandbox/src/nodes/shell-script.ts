import { Expansion, ExpansionError } from './shell-expansion.ts'
import { matches } from './shell-pattern.ts'
import { failed, type Result } from './shell-result.ts'
import { sendOutputs } from './shell-redirects.ts'
import { parse, type List, type Node, type Stage } from './shell-syntax.ts'
import { SyntaxProblem } from './shell-tokens.ts'
import { assignment, changeShell, declare, declaring } from './shell-variables.ts'
import type { Shell } from './shell.ts'

// A simulated program takes no time, so a loop that waits for something would never end.
const mostCommands = 2000
const mostSleptSeconds = 60
const mostOutputBytes = 1024 * 1024
const mostNested = 16
const mostCalls = 128

/** What all of one script, with the scripts inside it, may use up. */
export type Budget = { commands: number; bytes: number; nested: number; calls: number; isSpent: boolean }

export function newBudget(): Budget {
  return { commands: 0, bytes: 0, nested: 0, calls: 0, isSpent: false }
}

/** Counts towards the end of a script that waits. */
export function slept(budget: Budget, seconds: number): void {
  budget.commands += (seconds / mostSleptSeconds) * mostCommands
}

/** Runs a script. One that does not come to an end is killed. */
export function runScript(shell: Shell, text: string, input: Buffer = Buffer.alloc(0)): Result {
  const budget = shell.budget
  let steps: List
  try {
    steps = parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return { out: '', error: `sh: ${error.message}\n`, code: 2 }
  }
  if (budget.nested >= mostNested) return { out: '', error: 'sh: nested too deeply\n', code: 2 }
  budget.nested += 1
  try {
    return new Script(shell, budget).list(steps, input)
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error
    return { out: '', error: `sh: ${error.message}\n`, code: 2 }
  } finally {
    budget.nested -= 1
  }
}

/** Whether a script only lacks its further lines. */
export function isUnfinished(text: string): boolean {
  try {
    parse(text)
    return false
  } catch (error) {
    return error instanceof SyntaxProblem && error.isUnfinished
  }
}

class Script {
  readonly #shell: Shell
  readonly #budget: Budget
  readonly #expansion: Expansion
  /** What was said on stderr while values were put in; no redirection of the command itself catches it. */
  #aside = ''
  #leaving: 'break' | 'continue' | 'return' | undefined

  constructor(shell: Shell, budget: Budget) {
    this.#shell = shell
    this.#budget = budget
    this.#expansion = new Expansion(shell, (script) => {
      const { out, error } = shell.isolated(() => runScript(shell, script))
      this.#aside += error
      return out.toString()
    })
  }

  list(steps: List, input: Buffer): Result {
    const outs: Buffer[] = []
    let error = ''
    let code = 0
    for (const { joint, isNegated, stages } of steps) {
      if (this.#isOver) break
      if ((joint === '&&' && code !== 0) || (joint === '||' && code === 0)) continue
      const result = this.#pipeline(stages, input)
      outs.push(Buffer.from(result.out))
      error += result.error
      code = isNegated ? Number(result.code === 0) : result.code
      this.#shell.lastCode = code
    }
    if (this.#budget.isSpent) code = 137
    return { out: Buffer.concat(outs), error, code: this.#shell.exitCode ?? code }
  }

  get #isOver(): boolean {
    return this.#shell.exitCode !== undefined || this.#leaving !== undefined || this.#budget.isSpent
  }

  #pipeline(stages: Stage[], first: Buffer): Result {
    let input = first
    let error = ''
    let code = 0
    for (const stage of stages) {
      const result = this.#stage(stage, input)
      input = Buffer.from(result.out)
      error += result.error
      code = result.code
    }
    return { out: input, error, code }
  }

  #stage({ node, redirects }: Stage, piped: Buffer): Result {
    let input = piped
    for (const { mode, target } of redirects) {
      if (mode === '<<') input = Buffer.from(this.#expansion.lines(target))
      if (mode === "<<'") input = Buffer.from(target)
      if (mode !== '<') continue
      const path = this.#expansion.word(target)
      const file = this.#shell.files.get(this.#shell.resolve(path))
      if (!file) return { out: '', error: `sh: can't open ${path}: no such file\n`, code: 1 }
      input = file
    }
    const budget = this.#budget
    const result = this.#node(node, input)
    budget.commands += 1
    budget.bytes += result.out.length + result.error.length
    if (!budget.isSpent && (budget.commands > mostCommands || budget.bytes > mostOutputBytes)) {
      budget.isSpent = true
      result.error += 'Killed\n'
    }
    const sent = sendOutputs(this.#shell, this.#expansion, result, redirects)
    sent.error = this.#aside + sent.error
    this.#aside = ''
    return sent
  }

  #node(node: Node, input: Buffer): Result {
    switch (node.type) {
      case 'simple':
        return this.#simple(node.words, input)
      case 'group':
        return this.list(node.body, input)
      case 'subshell':
        return this.#shell.isolated(() => this.list(node.body, input))
      case 'function':
        this.#shell.functions.set(node.name, node.body)
        return { out: '', error: '', code: 0 }
      case 'case': {
        const word = this.#expansion.word(node.word)
        const branch = node.branches.find(({ patterns }) =>
          patterns.some((pattern) => matches(this.#expansion.pattern(pattern), word)),
        )
        return this.list(branch?.body ?? [], input)
      }
      case 'for':
        return this.#loop(this.#expansion.words(node.items), (item) => {
          this.#shell.environment[node.variable] = item
          return this.list(node.body, input)
        })
      case 'while':
        return this.#loop(undefined, () => {
          const tested = this.list(node.condition, input)
          if (this.#isOver || (tested.code === 0) === node.isUntil) return { ...tested, code: -1 }
          const result = this.list(node.body, input)
          return joined(tested, result)
        })
      case 'if': {
        let before: Result = { out: '', error: '', code: 0 }
        for (const { condition, body } of node.branches) {
          const tested = this.list(condition, input)
          before = joined(before, tested)
          if (this.#isOver) return before
          if (tested.code === 0) return joined(before, this.list(body, input))
        }
        return joined({ ...before, code: 0 }, this.list(node.otherwise, input))
      }
    }
  }

  /** Runs a body for each item, or until it answers -1. */
  #loop(items: string[] | undefined, body: (item: string) => Result): Result {
    const outs: Buffer[] = []
    let error = ''
    let code = 0
    for (let i = 0; !this.#isOver && (items === undefined || i < items.length); i += 1) {
      const result = body(items?.[i] ?? '')
      this.#budget.commands += 1
      outs.push(Buffer.from(result.out))
      error += result.error
      if (result.code === -1) break
      code = result.code
      const left = this.#leaving
      if (left === 'return') break
      this.#leaving = undefined
      if (left === 'break') break
    }
    return { out: Buffer.concat(outs), error, code }
  }

  #simple(raw: string[], input: Buffer): Result {
    const given = new Map<string, string>()
    let at = 0
    for (; at < raw.length; at += 1) {
      const assigned = assignment.exec(raw[at] ?? '')
      if (!assigned) break
      given.set(assigned[1] ?? '', this.#expansion.word(assigned[2] ?? ''))
    }
    if (at === raw.length) {
      const { lastCode } = this.#shell
      this.#assign(given)
      // `x=$(false)` ends as what was run for it.
      return { out: '', error: '', code: raw.some((word) => /\$\(|`/.test(word)) ? lastCode : 0 }
    }
    if (declaring.has(raw[at] ?? ''))
      return declare(this.#shell, this.#expansion, raw[at] ?? '', raw.slice(at + 1))
    const words = this.#expansion.words(raw.slice(at))
    const [name = '', ...rest] = words
    if (words.length === 0) return { out: '', error: '', code: 0 }
    const changed = this.#leave(name, rest) ?? changeShell(this.#shell, name, rest)
    if (changed) return changed
    // What stands before a command holds for that command alone.
    const { environment } = this.#shell
    const before = new Map([...given.keys()].map((key) => [key, environment[key]]))
    this.#assign(given)
    const body = this.#shell.functions.get(name)
    const result = body ? this.#call(body, rest, input) : this.#shell.run(words, input)
    this.#assign(before)
    return result
  }

  #assign(values: ReadonlyMap<string, string | undefined>): void {
    const { environment } = this.#shell
    for (const [key, value] of values) {
      if (value === undefined) delete environment[key]
      else environment[key] = value
    }
  }

  #leave(name: string, [code]: readonly string[]): Result | undefined {
    const { locals, lastCode } = this.#shell
    if (name !== 'break' && name !== 'continue' && name !== 'return') return undefined
    if (name === 'return' && !locals) return failed('sh: return: not in a function')
    this.#leaving = name
    return { out: '', error: '', code: name === 'return' ? Number(code ?? lastCode) & 255 : 0 }
  }

  #call(body: Stage, operands: readonly string[], input: Buffer): Result {
    const shell = this.#shell
    if (this.#budget.calls >= mostCalls) throw new ExpansionError('functions call each other too deeply')
    const { positional, locals } = shell
    const own = new Map<string, string | undefined>()
    shell.positional = operands
    shell.locals = own
    this.#budget.calls += 1
    try {
      return this.#stage(body, input)
    } finally {
      this.#budget.calls -= 1
      if (this.#leaving === 'return') this.#leaving = undefined
      this.#assign(own)
      shell.positional = positional
      shell.locals = locals
    }
  }
}

function joined(a: Result, b: Result): Result {
  return {
    out: Buffer.concat([Buffer.from(a.out), Buffer.from(b.out)]),
    error: a.error + b.error,
    code: b.code,
  }
}
