import { metricDescription, type MetricUnit } from '@bey/contract'

import { comparisons, type Expr, setOperators } from './ast.ts'

const unitOfName = (name: string | undefined) =>
  (name === undefined ? undefined : metricDescription(name)?.unit) ?? null

/** Functions whose answer has the unit of what they read. */
const keeping =
  /^(?:abs|ceil|floor|round|clamp|clamp_min|clamp_max|sort|sort_desc|delta|idelta|predict_linear|label_replace|label_join|scalar|increase|(?:avg|min|max|sum|last|quantile|stddev)_over_time)$/
const counting = /^(?:count_over_time|changes|resets)$/

/** The unit of an expression; null where it is not known, as of a product. */
export function unitOf(expr: Expr): MetricUnit | null {
  switch (expr.kind) {
    case 'number':
    case 'string':
      return null
    case 'selector':
      return unitOfName(
        expr.matchers.find(({ label, operator }) => label === '__name__' && operator === '=')?.value,
      )
    case 'negate':
      return unitOf(expr.operand)
    case 'call':
      return unitOfCall(expr)
    case 'aggregate':
      if (expr.operator === 'count' || expr.operator === 'count_values') return 'count'
      return expr.operator === 'group' || expr.operator === 'stdvar' ? null : unitOf(expr.operand)
    case 'binary':
      return unitOfBinary(expr)
  }
}

function unitOfCall({ name, args }: Extract<Expr, { kind: 'call' }>): MetricUnit | null {
  if (counting.test(name)) return 'count'
  const operand = args.find((arg) => arg.kind !== 'number' && arg.kind !== 'string')
  const unit = operand ? unitOf(operand) : null
  if (keeping.test(name)) return unit
  if (name === 'rate' || name === 'irate' || name === 'deriv') {
    return unit === 'bytes' ? 'bytes_per_second' : unit === 'count' ? 'per_second' : null
  }
  return null
}

function unitOfBinary({
  operator,
  left,
  right,
  isBool,
}: Extract<Expr, { kind: 'binary' }>): MetricUnit | null {
  if (isBool) return null
  const isFilter = [...comparisons, ...setOperators].some((each) => each === operator)
  if (isFilter) return unitOf(left) ?? unitOf(right)
  if (operator === '+' || operator === '-') {
    const [a, b] = [unitOf(left), unitOf(right)]
    return a === b || right.kind === 'number' ? a : left.kind === 'number' ? b : null
  }
  return isPercentage(operator, left, right) ? 'percent' : null
}

/** A share of something in its own unit, times 100: `100 * a / b`, `a / b * 100` or `100 * (a / b)`. */
function isPercentage(operator: string, left: Expr, right: Expr): boolean {
  if (operator === '*') return (isHundred(left) && isShare(right)) || (isHundred(right) && isShare(left))
  if (operator !== '/' || left.kind !== 'binary' || left.operator !== '*') return false
  const whole = isHundred(left.left) ? left.right : isHundred(left.right) ? left.left : undefined
  return whole !== undefined && haveOneUnit(whole, right)
}

const isHundred = (expr: Expr) => expr.kind === 'number' && expr.value === 100

const haveOneUnit = (a: Expr, b: Expr) => unitOf(a) !== null && unitOf(a) === unitOf(b)

const isShare = (expr: Expr): boolean =>
  expr.kind === 'binary' && expr.operator === '/' && haveOneUnit(expr.left, expr.right)
