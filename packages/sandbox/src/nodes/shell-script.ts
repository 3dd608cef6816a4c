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
const mostWaits = 300
const longestWaitMs = 3_600_000
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

/** Takes what a script has written as soon as it is written. */
export type Sink = (out: string | Buffer, error: string) => void

/** A script under way; each yield is a wait of so many milliseconds. */
export type Steps = Generator<number, Result, undefined>

/** A program that never waits is given this rest when it has used up a script's budget. */
const busyMs = 1000

/** Runs a script at once, as if it never had to wait. One that does not come to an end is killed. */
export function runScript(shell: Shell, text: string, input: Buffer = Buffer.alloc(0)): Result {
  return runAtOnce(shell, scriptSteps(shell, text, input))
}

/** Runs steps to their end; anyone who goes on in time has to wait for them later. */
export function runAtOnce(shell: Shell, steps: Steps): Result {
  let waitedMs = 0
  for (let i = 0; i < mostWaits && waitedMs < longestWaitMs; i += 1) {
    const step = steps.next()
    if (step.done) {
      shell.owedMs += waitedMs
      return step.value
    }
    waitedMs += step.value
  }
  shell.owedMs += waitedMs
  return { out: '', error: 'Killed\n', code: 137 }
}

/** The steps of a script; with a sink, the result holds nothing of what was written. */
export function* scriptSteps(
  shell: Shell,
  text: string,
  input: Buffer = Buffer.alloc(0),
  sink?: Sink,
): Steps {
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
    return yield* new Script(shell, budget).list(steps, input, sink)
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
  /** How many conditions are under way, in which `set -e` does not count. */
  #tested = 0

  constructor(shell: Shell, budget: Budget) {
    this.#shell = shell
    this.#budget = budget
    this.#expansion = new Expansion(shell, (script) => {
      const { out, error } = runAtOnce(
        shell,
        shell.isolatedSteps(() => scriptSteps(shell, script)),
      )
      this.#aside += error
      return out.toString()
    })
  }

  *list(steps: List, input: Buffer, sink?: Sink): Steps {
    const outs: Buffer[] = []
    let error = ''
    let code = 0
    for (const [i, { joint, isNegated, stages }] of steps.entries()) {
      if (this.#isOver) break
      if ((joint === '&&' && code !== 0) || (joint === '||' && code === 0)) continue
      const isTested = isNegated || /&&|\|\|/.test(steps[i + 1]?.joint ?? '')
      this.#tested += Number(isTested)
      const result = yield* this.#pipeline(stages, input, sink)
      this.#tested -= Number(isTested)
      if (sink) sink(result.out, result.error)
      else {
        outs.push(Buffer.from(result.out))
        error += result.error
      }
      code = isNegated ? Number(result.code === 0) : result.code
      this.#shell.lastCode = code
      if (code !== 0 && this.#shell.endsOnFailure && this.#tested === 0 && !isTested && !this.#isOver)
        this.#shell.exitCode = code
    }
    if (this.#budget.isSpent) code = 137
    return { out: Buffer.concat(outs), error, code: this.#shell.exitCode ?? code }
  }

  get #isOver(): boolean {
    return this.#shell.exitCode !== undefined || this.#leaving !== undefined || this.#budget.isSpent
  }

  *#pipeline(stages: Stage[], first: Buffer, sink?: Sink): Steps {
    const [head, ...rest] = stages
    const isStreamed = sink && head && rest.length > 0 && rest.every(passesLines)
    if (isStreamed) {
      const result = yield* this.#stage(head, first, (out, error) => {
        if (error !== '') sink('', error)
        if (out.length === 0) return
        const passed = runAtOnce(this.#shell, this.#pipeline(rest, Buffer.from(out)))
        sink(passed.out, passed.error)
      })
      sink('', result.error)
      return yield* this.#pipeline(rest, Buffer.from(result.out))
    }
    let input = first
    let error = ''
    let code = 0
    for (const [i, stage] of stages.entries()) {
      const result = yield* this.#stage(stage, input, i === stages.length - 1 ? sink : undefined)
      input = Buffer.from(result.out)
      error += result.error
      code = result.code
    }
    return { out: input, error, code }
  }

  *#stage({ node, redirects }: Stage, piped: Buffer, sink?: Sink): Steps {
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
    const shell = this.#shell
    let own = redirects
    const send = (result: Result) => {
      const sent = sendOutputs(shell, this.#expansion, result, own)
      // Only what comes first empties the file.
      own = own.map((one) => (one.mode === '>' ? { ...one, mode: '>>' } : one))
      return sent
    }
    const inner: Sink | undefined =
      sink &&
      ((out, error) => {
        if (out.length === 0 && error === '') return
        const sent = send({ out, error, code: 0 })
        sink(sent.out, sent.error)
      })
    const result = yield* this.#node(node, input, inner)
    yield* this.#spend(result, sink !== undefined)
    const sent = send(result)
    sent.error = this.#aside + sent.error
    this.#aside = ''
    const { owedMs } = shell
    shell.owedMs = 0
    if (owedMs > 0) {
      // What was said before the wait is heard before it.
      if (sink) {
        sink(sent.out, sent.error)
        Object.assign(sent, { out: '', error: '' })
      }
      yield owedMs
    }
    return sent
  }

  /** Counts one command. What uses up its budget is killed, or, where it lives in time, has to rest. */
  *#spend(result: Result, isHeard: boolean): Generator<number, void, undefined> {
    const budget = this.#budget
    budget.commands += 1
    if (!isHeard || !this.#shell.isProgram) budget.bytes += result.out.length + result.error.length
    if (budget.isSpent) return
    if (this.#shell.isProgram && budget.commands > mostCommands) {
      budget.commands = 0
      yield busyMs
    }
    if (budget.commands > mostCommands || budget.bytes > mostOutputBytes) {
      budget.isSpent = true
      result.error += 'Killed\n'
    }
  }

  *#node(node: Node, input: Buffer, sink?: Sink): Steps {
    switch (node.type) {
      case 'simple':
        return yield* this.#simple(node.words, input, sink)
      case 'group':
        return yield* this.list(node.body, input, sink)
      case 'subshell':
        return yield* this.#shell.isolatedSteps(() => this.list(node.body, input, sink))
      case 'function':
        this.#shell.functions.set(node.name, node.body)
        return { out: '', error: '', code: 0 }
      case 'case': {
        const word = this.#expansion.word(node.word)
        const branch = node.branches.find(({ patterns }) =>
          patterns.some((pattern) => matches(this.#expansion.pattern(pattern), word)),
        )
        return yield* this.list(branch?.body ?? [], input, sink)
      }
      case 'for':
        return yield* this.#loop(this.#expansion.words(node.items), (item) => {
          this.#shell.environment[node.variable] = item
          return this.list(node.body, input, sink)
        })
      case 'while':
        return yield* this.#loop(undefined, () => this.#turn(node, input, sink))
      case 'if': {
        let before: Result = { out: '', error: '', code: 0 }
        for (const { condition, body } of node.branches) {
          const tested = yield* this.#test(condition, input, sink)
          before = joined(before, tested)
          if (this.#isOver) return before
          if (tested.code === 0) return joined(before, yield* this.list(body, input, sink))
        }
        return joined({ ...before, code: 0 }, yield* this.list(node.otherwise, input, sink))
      }
    }
  }

  *#test(condition: List, input: Buffer, sink?: Sink): Steps {
    this.#tested += 1
    const result = yield* this.list(condition, input, sink)
    this.#tested -= 1
    return result
  }

  *#turn(node: Node & { type: 'while' }, input: Buffer, sink?: Sink): Steps {
    const tested = yield* this.#test(node.condition, input, sink)
    if (this.#isOver || (tested.code === 0) === node.isUntil) return { ...tested, code: -1 }
    return joined(tested, yield* this.list(node.body, input, sink))
  }

  /** Runs a body for each item, or until it answers -1. */
  *#loop(items: string[] | undefined, body: (item: string) => Steps): Steps {
    const outs: Buffer[] = []
    let error = ''
    let code = 0
    for (let i = 0; !this.#isOver && (items === undefined || i < items.length); i += 1) {
      const result = yield* body(items?.[i] ?? '')
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

  *#simple(raw: string[], input: Buffer, sink?: Sink): Steps {
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
    const isLast = words[0] === 'exec' && words.length > 1
    if (isLast) words.shift()
    const [name = '', ...rest] = words
    if (words.length === 0) return { out: '', error: '', code: 0 }
    const changed = this.#leave(name, rest) ?? changeShell(this.#shell, name, rest)
    if (changed) return changed
    // What stands before a command holds for that command alone.
    const { environment } = this.#shell
    const before = new Map([...given.keys()].map((key) => [key, environment[key]]))
    this.#assign(given)
    const body = this.#shell.functions.get(name)
    const result = body
      ? yield* this.#call(body, rest, input, sink)
      : yield* this.#shell.runSteps(words, input, sink)
    this.#assign(before)
    if (isLast) this.#shell.exitCode ??= result.code
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

  *#call(body: Stage, operands: readonly string[], input: Buffer, sink?: Sink): Steps {
    const shell = this.#shell
    if (this.#budget.calls >= mostCalls) throw new ExpansionError('functions call each other too deeply')
    const { positional, locals } = shell
    const own = new Map<string, string | undefined>()
    shell.positional = operands
    shell.locals = own
    this.#budget.calls += 1
    try {
      return yield* this.#stage(body, input, sink)
    } finally {
      this.#budget.calls -= 1
      if (this.#leaving === 'return') this.#leaving = undefined
      this.#assign(own)
      shell.positional = positional
      shell.locals = locals
    }
  }
}

const lineFilters = new Set(['cat', 'grep', 'tee'])

/** Whether a command turns each of its lines into lines as they come. */
function passesLines({ node }: Stage): boolean {
  return node.type === 'simple' && lineFilters.has(node.words[0] ?? '')
}

function joined(a: Result, b: Result): Result {
  return {
    out: Buffer.concat([Buffer.from(a.out), Buffer.from(b.out)]),
    error: a.error + b.error,
    code: b.code,
  }
}
