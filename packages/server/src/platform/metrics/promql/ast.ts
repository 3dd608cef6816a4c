/** Compares a label; an absent label is the empty string. Regular expressions are RE2 and match the whole value. */
export type Matcher = { label: string; operator: '=' | '!=' | '=~' | '!~'; value: string }

/** Where a part stands in the text of its expression, in characters. */
export type Span = { from: number; to: number }

export type Grouping = { kind: 'by' | 'without'; labels: readonly string[] }

/** How the elements of two vectors find each other. `include`: labels copied from the side that has one element. */
export type Matching = {
  kind: 'on' | 'ignoring'
  labels: readonly string[]
  group: 'one-to-one' | 'left' | 'right'
  include: readonly string[]
}

export const arithmetic = ['+', '-', '*', '/', '%', '^', 'atan2'] as const
export const comparisons = ['==', '!=', '>', '<', '>=', '<='] as const
export const setOperators = ['and', 'or', 'unless'] as const
type Arithmetic = (typeof arithmetic)[number]
type Comparison = (typeof comparisons)[number]
type SetOperator = (typeof setOperators)[number]

export type Selector = {
  kind: 'selector'
  matchers: readonly Matcher[]
  /** Set for a range vector. */
  rangeMs?: number
  /** Positive values look into the past. */
  offsetMs: number
  span: Span
}

/** A PromQL expression after parsing and type checks. */
export type Expr =
  | { kind: 'number'; value: number; span: Span }
  | { kind: 'string'; value: string; span: Span }
  | Selector
  | { kind: 'negate'; operand: Expr; span: Span }
  | { kind: 'call'; name: string; args: readonly Expr[]; span: Span }
  | {
      kind: 'aggregate'
      operator: string
      parameter?: Expr
      operand: Expr
      grouping: Grouping
      span: Span
    }
  | {
      kind: 'binary'
      operator: Arithmetic | Comparison | SetOperator
      left: Expr
      right: Expr
      /** A comparison that answers 0 or 1 instead of filtering. */
      isBool: boolean
      matching: Matching
      span: Span
    }

export type ValueType = 'scalar' | 'string' | 'vector' | 'range'
