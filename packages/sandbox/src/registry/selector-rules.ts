import { isObject, listAt, textAt, type Json } from '../json.ts'
import { field, type Cause } from '../status-error.ts'
import { checkKey, checkLabels } from './names.ts'
import type { Rule } from './field-rules.ts'

const needed = "must be specified when `operator` is 'In' or 'NotIn'"
const unneeded = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"

function checkExpression(one: Json, path: string, isNode: boolean): Cause[] {
  const operator = textAt(one, 'operator') ?? ''
  const values = listAt(one, 'values')
  const causes: Cause[] = []
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) causes.push(field.required(`${path}.values`, needed))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) causes.push(field.forbidden(`${path}.values`, unneeded))
  } else if (isNode && (operator === 'Gt' || operator === 'Lt')) {
    const text = "must be specified single value when `operator` is 'Lt' or 'Gt'"
    if (values.length !== 1) causes.push(field.required(`${path}.values`, text))
  } else {
    causes.push(field.invalid(`${path}.operator`, operator, 'not a valid selector operator'))
  }
  return [...causes, ...checkKey(textAt(one, 'key') ?? '', `${path}.key`)]
}

/** A label selector. */
export const selector: Rule = (value, path) => {
  if (!isObject(value)) return []
  const labels = isObject(value['matchLabels']) ? value['matchLabels'] : {}
  return [
    ...checkLabels(labels as Record<string, string>, `${path}.matchLabels`),
    ...listAt(value, 'matchExpressions').flatMap((one, i) =>
      checkExpression(one, `${path}.matchExpressions[${i}]`, false),
    ),
  ]
}

/** A term that nodes meet or not. */
export const nodeTerm: Rule = (value, path) =>
  listAt(value, 'matchExpressions').flatMap((one, i) =>
    checkExpression(one, `${path}.matchExpressions[${i}]`, true),
  )
