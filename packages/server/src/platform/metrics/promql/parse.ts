import { metricQueryBounds } from '@bey/contract'
import { parser } from '@prometheus-io/lezer-promql'
import type { SyntaxNode } from '@lezer/common'

import {
  arithmetic,
  comparisons,
  type Expr,
  type Grouping,
  type Matching,
  type Selector,
  setOperators,
} from './ast.ts'
import { checkAggregate, checkBinary, checkCall, requireType, typeOf } from './check-types.ts'
import { readDuration, readNumber, readString } from './literals.ts'
import { readMatchers } from './read-matchers.ts'
import { refuse } from './refuse.ts'

/**
 * Parses and checks a PromQL expression. Throws AppError `invalid_request` with a sentence and the position of what
 * cannot be read, has the wrong type, or is not supported.
 */
export function parsePromql(text: string): Expr {
  if (text.trim() === '') refuse(text, { from: 0, to: 0 }, 'The expression is empty.')
  const tree = parser.parse(text)
  let count = 0
  let firstError: { from: number; to: number } | undefined
  tree.iterate({
    enter(node) {
      count += 1
      if (node.type.isError) firstError ??= { from: node.from, to: node.to }
    },
  })
  if (firstError) refuse(text, firstError, unreadable(text, firstError))
  if (count > metricQueryBounds.maxNodes) {
    refuse(text, { from: 0, to: text.length }, 'The expression has too many parts. Split it into several.')
  }
  const [root] = children(tree.topNode)
  if (!root) refuse(text, { from: 0, to: 0 }, 'The expression is empty.')
  const expr = readExpr({ text, depth: 0 }, root)
  if (typeOf(expr) === 'range') {
    refuse(
      text,
      expr.span,
      'A range such as [5m] must stand inside a function, for example avg_over_time(x[5m]).',
    )
  }
  if (typeOf(expr) === 'string') refuse(text, expr.span, 'A text alone has no value to draw.')
  return expr
}

function unreadable(text: string, { from, to }: { from: number; to: number }): string {
  const word = text.slice(from, Math.max(to, from + 1)).trim()
  const before = /([A-Za-z_]\w*)\s*$/.exec(text.slice(0, from))?.[1]
  if (word.startsWith('(') && before !== undefined) return `There is no function "${before}".`
  if (from >= text.trimEnd().length) return 'The expression ends too early.'
  return word === '' ? 'Something is missing here.' : `"${word.slice(0, 40)}" was not expected here.`
}

type Reading = { text: string; depth: number }

const children = (node: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'LineComment') found.push(child)
  }
  return found
}

function readExpr(above: Reading, node: SyntaxNode): Expr {
  const reading = { text: above.text, depth: above.depth + 1 }
  const { text } = reading
  const span = { from: node.from, to: node.to }
  if (reading.depth > metricQueryBounds.maxDepth) refuse(text, span, 'The expression is nested too deeply.')
  switch (node.name) {
    case 'ParenExpr':
      return readExpr(reading, only(reading, node))
    case 'NumberDurationLiteral':
      return { kind: 'number', value: readNumber(text, node), span }
    case 'StringLiteral':
      return { kind: 'string', value: readString(text, node), span }
    case 'VectorSelector':
      return { kind: 'selector', matchers: readMatchers(text, node), offsetMs: 0, span }
    case 'MatrixSelector':
      return readRange(reading, node)
    case 'OffsetExpr':
      return readOffset(reading, node)
    case 'UnaryExpr':
      return readUnary(reading, node)
    case 'FunctionCall':
      return readCall(reading, node)
    case 'AggregateExpr':
      return readAggregate(reading, node)
    case 'BinaryExpr':
      return readBinary(reading, node)
    case 'StepInvariantExpr':
      return refuse(text, span, '"@" is not supported. Choose the range of time, or use "offset".')
    case 'SubqueryExpr':
      return refuse(text, span, 'Subqueries such as [1h:5m] are not supported.')
    default:
      return refuse(text, span, `"${text.slice(node.from, node.to).slice(0, 40)}" is not supported.`)
  }
}

function only({ text }: Reading, node: SyntaxNode): SyntaxNode {
  const [child] = children(node)
  return child ?? refuse(text, node, 'Something is missing here.')
}

function selectorOf(reading: Reading, node: SyntaxNode, what: string): Selector {
  const expr = readExpr(reading, only(reading, node))
  if (expr.kind === 'selector') return expr
  return refuse(reading.text, expr.span, `${what} can only follow a metric.`)
}

function readRange(reading: Reading, node: SyntaxNode): Expr {
  const selector = selectorOf(reading, node, 'A range such as [5m]')
  const duration = node.getChild('DurationExpr')
  const rangeMs = duration ? readDuration(reading.text, duration) : 0
  if (rangeMs <= 0) refuse(reading.text, duration ?? node, 'A range must be longer than 0.')
  return { ...selector, rangeMs, span: { from: node.from, to: node.to } }
}

function readOffset(reading: Reading, node: SyntaxNode): Expr {
  const selector = selectorOf(reading, node, '"offset"')
  const duration = node.getChild('OffsetDurationExpr')
  const offsetMs = duration ? readDuration(reading.text, duration) : 0
  return { ...selector, offsetMs, span: { from: node.from, to: node.to } }
}

function readUnary(reading: Reading, node: SyntaxNode): Expr {
  const [sign, inner] = children(node)
  if (!sign || !inner) return refuse(reading.text, node, 'Something is missing here.')
  const operand = readExpr(reading, inner)
  requireType(reading.text, operand, ['scalar', 'vector'], 'A sign')
  const isNegative = reading.text.slice(sign.from, sign.to) === '-'
  return isNegative ? { kind: 'negate', operand, span: { from: node.from, to: node.to } } : operand
}

function readCall(reading: Reading, node: SyntaxNode): Expr {
  const identifier = node.getChild('FunctionIdentifier')
  const body = node.getChild('FunctionCallBody')
  if (!identifier || !body) return refuse(reading.text, node, 'Something is missing here.')
  const name = reading.text.slice(identifier.from, identifier.to)
  const args = children(body).map((child) => readExpr(reading, child))
  const call = { kind: 'call', name, args, span: { from: node.from, to: node.to } } as const
  checkCall(reading.text, call, { from: identifier.from, to: identifier.to })
  return call
}

function readAggregate(reading: Reading, node: SyntaxNode): Expr {
  const { text } = reading
  const named = node.getChild('AggregateOp')
  const body = node.getChild('FunctionCallBody')
  if (!named || !body) return refuse(text, node, 'Something is missing here.')
  const operator = text.slice(named.from, named.to).toLowerCase()
  const args = children(body).map((child) => readExpr(reading, child))
  const span = { from: node.from, to: node.to }
  return checkAggregate(text, { operator, args, grouping: readGrouping(text, node), span })
}

function labelsOf(text: string, node: SyntaxNode | null): string[] {
  if (!node) return []
  return children(node).map((label) => {
    const quoted = label.getChild('StringLiteral')
    return quoted ? readString(text, quoted) : text.slice(label.from, label.to)
  })
}

function readGrouping(text: string, node: SyntaxNode): Grouping {
  const modifier = node.getChild('AggregateModifier')
  if (!modifier) return { kind: 'by', labels: [] }
  const kind = modifier.getChild('Without') ? 'without' : 'by'
  return { kind, labels: labelsOf(text, modifier.getChild('GroupingLabels')) }
}

function readMatching(text: string, node: SyntaxNode): Matching {
  const clause = node.getChild('MatchingModifierClause')
  const matching: Matching = { kind: 'ignoring', labels: [], group: 'one-to-one', include: [] }
  if (!clause) return matching
  const left = clause.getChild('GroupLeft')
  const right = clause.getChild('GroupRight')
  const group = left ?? right
  const lists = clause.getChildren('GroupingLabels')
  const first = lists.find((list) => !group || list.from < group.from) ?? null
  const include = lists.find((list) => group && list.from > group.from) ?? null
  return {
    kind: clause.getChild('On') ? 'on' : 'ignoring',
    labels: labelsOf(text, first),
    group: left ? 'left' : right ? 'right' : 'one-to-one',
    include: labelsOf(text, include),
  }
}

const operators: ReadonlyMap<string, Extract<Expr, { kind: 'binary' }>['operator']> = new Map(
  [...arithmetic, ...comparisons, ...setOperators].map((operator) => [operator, operator]),
)

function readBinary(reading: Reading, node: SyntaxNode): Expr {
  const { text } = reading
  const parts = children(node)
  const first = parts[0]
  const last = parts.at(-1)
  const symbol = parts[1]
  const operator = symbol && operators.get(text.slice(symbol.from, symbol.to).toLowerCase())
  if (!first || !last || !symbol || operator === undefined || last === symbol) {
    return refuse(text, symbol ?? node, 'This operator is not supported.')
  }
  const left = readExpr(reading, first)
  const right = readExpr(reading, last)
  const span = { from: node.from, to: node.to }
  const isBool = node.getChild('BoolModifier') !== null
  const binary = {
    kind: 'binary',
    operator,
    left,
    right,
    isBool,
    matching: readMatching(text, node),
    span,
  } as const
  checkBinary(text, binary)
  // The grammar reads "-1^2" as (-1)^2; in PromQL the power binds more strongly than the sign.
  if (operator === '^' && left.kind === 'number' && text[first.from] === '-') {
    const base = { ...left, value: -left.value }
    return { kind: 'negate', operand: { ...binary, left: base }, span }
  }
  return binary
}
