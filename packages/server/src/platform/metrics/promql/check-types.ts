import { comparisons, type Expr, type Grouping, setOperators, type Span, type ValueType } from './ast.ts'
import { aggregations, functions, labelJoin } from './functions.ts'
import { refuse } from './refuse.ts'

/** The type of value that an expression has. */
export function typeOf(expr: Expr): ValueType {
  switch (expr.kind) {
    case 'number':
      return 'scalar'
    case 'string':
      return 'string'
    case 'selector':
      return expr.rangeMs === undefined ? 'vector' : 'range'
    case 'negate':
      return typeOf(expr.operand)
    case 'call':
      return functions.get(expr.name)?.answers ?? 'vector'
    case 'aggregate':
      return 'vector'
    case 'binary':
      return typeOf(expr.left) === 'scalar' && typeOf(expr.right) === 'scalar' ? 'scalar' : 'vector'
  }
}

const typeNames: Readonly<Record<ValueType, string>> = {
  scalar: 'a number',
  string: 'a text in quotes',
  vector: 'series',
  range: 'a range such as x[5m]',
}

/** Throws AppError `invalid_request` unless the expression has one of the types. */
export function requireType(text: string, expr: Expr, types: readonly ValueType[], what: string): void {
  const found = typeOf(expr)
  if (types.includes(found)) return
  const wanted = types.map((type) => typeNames[type]).join(' or ')
  refuse(text, expr.span, `${what} needs ${wanted}, but this is ${typeNames[found]}.`)
}

/** Throws AppError `invalid_request` unless the function exists and its arguments fit. */
export function checkCall(text: string, call: Extract<Expr, { kind: 'call' }>, name: Span): void {
  const { args } = call
  if (call.name === labelJoin) {
    if (args.length < 4)
      refuse(text, name, 'label_join() needs series, a label, a separator and labels to join.')
    for (const [index, arg] of args.entries()) {
      requireType(text, arg, [index === 0 ? 'vector' : 'string'], 'label_join()')
    }
    return
  }
  const signature = functions.get(call.name)
  if (!signature) {
    const why = call.name.startsWith('histogram_')
      ? `${call.name}() needs histograms, and this store holds none.`
      : `The function ${call.name}() is not supported.`
    return refuse(text, name, why)
  }
  const most = signature.args.length
  const least = most - (signature.optional ?? 0)
  if (args.length < least || args.length > most) {
    const wanted = least === most ? `${most}` : `${least} to ${most}`
    refuse(
      text,
      name,
      `${call.name}() takes ${wanted} ${most === 1 ? 'argument' : 'arguments'}, not ${args.length}.`,
    )
  }
  for (const [index, arg] of args.entries()) {
    requireType(text, arg, [signature.args[index] ?? 'vector'], `${call.name}()`)
  }
}

/** Throws AppError `invalid_request` unless the aggregation exists and its arguments fit. */
export function checkAggregate(
  text: string,
  {
    operator,
    args,
    grouping,
    span,
  }: { operator: string; args: readonly Expr[]; grouping: Grouping; span: Span },
): Expr {
  if (!aggregations.has(operator)) refuse(text, span, `The aggregation ${operator}() is not supported.`)
  const parameterType = aggregations.get(operator)
  const count = parameterType === undefined ? 1 : 2
  const operand = args.at(-1)
  if (args.length !== count || !operand) {
    return refuse(
      text,
      span,
      `${operator}() takes ${count} ${count === 1 ? 'argument' : 'arguments'}, not ${args.length}.`,
    )
  }
  requireType(text, operand, ['vector'], `${operator}()`)
  const [parameter] = args
  if (parameterType === undefined || !parameter)
    return { kind: 'aggregate', operator, operand, grouping, span }
  requireType(text, parameter, [parameterType], `${operator}()`)
  return { kind: 'aggregate', operator, parameter, operand, grouping, span }
}

const isOneOf = (list: readonly string[], word: string) => list.includes(word)

/** Throws AppError `invalid_request` unless the operands fit the operator. */
export function checkBinary(text: string, expr: Extract<Expr, { kind: 'binary' }>): void {
  const { operator, left, right, isBool, matching, span } = expr
  const isSet = isOneOf(setOperators, operator)
  for (const side of [left, right]) {
    requireType(text, side, isSet ? ['vector'] : ['scalar', 'vector'], `"${operator}"`)
  }
  const isComparison = isOneOf(comparisons, operator)
  const areScalars = typeOf(left) === 'scalar' && typeOf(right) === 'scalar'
  if (isBool && !isComparison) refuse(text, span, `"bool" can only follow a comparison, not "${operator}".`)
  if (isComparison && areScalars && !isBool) {
    refuse(text, span, `A comparison of two numbers needs "bool": ${operator} bool.`)
  }
  if (isSet && matching.group !== 'one-to-one') {
    refuse(text, span, `"${operator}" takes no group_left or group_right.`)
  }
  const doubled = matching.kind === 'on' && matching.include.find((label) => matching.labels.includes(label))
  if (doubled)
    refuse(text, span, `The label "${doubled}" cannot stand in both "on" and "group_${matching.group}".`)
}
