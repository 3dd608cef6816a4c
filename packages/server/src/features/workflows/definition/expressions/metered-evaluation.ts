import type { ASTNode, ParseResult } from '@marcbachmann/cel-js'

import { ExpressionError } from './expression-error.ts'
import { expressionLimits } from './limits.ts'

/** What the library's evaluator calls for each node; `run` is the one door that every node passes. */
type Evaluator = {
  run(node: EvaluatedNode, context: unknown): unknown
  debugTypeDeep(value: unknown): unknown
}
type EvaluatedNode = ASTNode & {
  evaluate(evaluator: Evaluator, node: EvaluatedNode, context: unknown): unknown
}

/** Their values are those of other nodes, or still grow. */
const unmeasured: ReadonlySet<string> = new Set(['accuPush', 'accuValue', 'accuInc', '?:'])

/** An error with its stack takes as long as so many nodes. */
const errorSteps = 100

/**
 * Makes a parsed expression count what it does, so that one that would not end in time, or would take too much memory,
 * fails with ExpressionError. Each evaluation has its own count.
 */
export function meter(parsed: ParseResult): void {
  // The library documents neither; a test fails if another version of it evaluates nodes another way.
  const root = parsed.ast as EvaluatedNode
  let evaluate = root.evaluate
  const evaluateMetered: EvaluatedNode['evaluate'] = (evaluator, node, context) => {
    if (metered.has(evaluator)) return evaluate.call(root, evaluator, node, context)
    const own = meteredEvaluator(evaluator)
    try {
      return own.run(node, context)
    } finally {
      own.requireBudget()
    }
  }
  // A node replaces its own `evaluate` when it is evaluated first.
  Object.defineProperty(root, 'evaluate', {
    get: () => evaluateMetered,
    set: (next: EvaluatedNode['evaluate']) => {
      evaluate = next
    },
  })
}

const metered = new WeakSet<Evaluator>()

function meteredEvaluator(base: Evaluator): Evaluator & { requireBudget(): void } {
  const sizes = new WeakMap<object, { length: number; size: number }>()
  const startedAt = performance.now()
  let steps = 0
  let charges = 0
  let exceeded: ExpressionError | undefined

  function charge(amount: number): void {
    steps += amount
    charges += 1
    const isLate = charges % 16 === 0 && performance.now() - startedAt > expressionLimits.timeMs
    if (steps > expressionLimits.steps || isLate) exceeded ??= tooLong()
    if (exceeded !== undefined) throw exceeded
  }

  function evaluated(evaluator: Evaluator, node: EvaluatedNode, context: unknown): unknown {
    try {
      return node.evaluate(evaluator, node, context)
    } catch (error) {
      charge(errorSteps)
      throw error
    }
  }

  /** Items and texts below a value, counted as often as they would be written; a list that is shared is no smaller. */
  function sizeOf(value: unknown): number {
    if (typeof value === 'string') return 1 + value.length / 16
    if (typeof value !== 'object' || value === null) return 1
    const known = sizes.get(value)
    if (known !== undefined && known.length === lengthOf(value)) return known.size
    let size = 1
    for (const member of membersOf(value)) size += sizeOf(member)
    // A list that is being built is empty at first, and measured again when it is complete.
    if (size > 1) sizes.set(value, { length: lengthOf(value), size })
    return size
  }

  const evaluator = Object.assign(Object.create(base) as Evaluator, {
    run(this: Evaluator, node: EvaluatedNode, context: unknown): unknown {
      charge(1)
      const value = evaluated(this, node, context)
      if (unmeasured.has(node.op)) return value
      if (sizeOf(value) > expressionLimits.valueSize) throw (exceeded ??= tooLarge())
      if (typeof value === 'string' || Array.isArray(value)) charge(value.length / 64)
      return value
    },
    // It uses private fields, which an object that inherits from the evaluator does not have.
    debugTypeDeep: (value: unknown) => base.debugTypeDeep(value),
    /** Quantifiers and logical operators pass over errors of their operands, those of the count included. */
    requireBudget: () => charge(0),
  })
  metered.add(evaluator)
  return evaluator
}

function membersOf(value: object): Iterable<unknown> {
  if (Array.isArray(value)) return value
  if (value instanceof Map || value instanceof Set) return value.values()
  return isPlain(value) ? Object.values(value) : []
}

/** Only lists grow after they were measured. */
function lengthOf(value: object): number {
  return Array.isArray(value) ? value.length : 0
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function tooLong(): ExpressionError {
  return new ExpressionError(
    'The expression takes too long: it goes over too many items. Select fewer of them, or use a script step.',
  )
}

function tooLarge(): ExpressionError {
  return new ExpressionError(
    'The expression makes a value that is too large. Select what is needed, or use a script step.',
  )
}
