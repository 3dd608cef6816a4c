import { celValue, CelError, compile, complaint } from '../cel/cel.ts'
import { isObject, listAt, objectAt, plain, textAt, type Json, type JsonObject } from '../json.ts'
import { field, type Cause } from '../status-error.ts'

const key = 'x-kubernetes-validations'

/** Whether a schema has rules anywhere; most have none, and cost nothing then. */
export function hasRules(schema: JsonObject): boolean {
  if (listAt(schema, key).length > 0) return true
  return inner(schema).some(hasRules)
}

function inner(schema: JsonObject): JsonObject[] {
  const properties = Object.values(objectAt(schema, 'properties') ?? {})
  return [...properties, schema['items'], schema['additionalProperties']].filter(isObject)
}

/** What is wrong with the rules of a schema themselves. */
export function ruleComplaints(schema: JsonObject, path: string): Cause[] {
  const causes = listAt(schema, key).flatMap((rule, i) => {
    const place = `${path}.${key}[${i}]`
    const text = textAt(rule, 'rule')
    if (!text) return [field.required(`${place}.rule`)]
    const wrong = complaint(text)
    if (wrong) return [field.invalid(`${place}.rule`, text, wrong)]
    const message = textAt(rule, 'messageExpression')
    const unclear = message ? complaint(message) : undefined
    return unclear ? [field.invalid(`${place}.messageExpression`, message, unclear)] : []
  })
  for (const [name, own] of Object.entries(objectAt(schema, 'properties') ?? {}))
    if (isObject(own)) causes.push(...ruleComplaints(own, `${path}.properties[${name}]`))
  for (const name of ['items', 'additionalProperties']) {
    const own = objectAt(schema, name)
    if (own) causes.push(...ruleComplaints(own, `${path}.${name}`))
  }
  return causes
}

const reasons: Record<string, Cause['reason']> = {
  FieldValueForbidden: 'FieldValueForbidden',
  FieldValueRequired: 'FieldValueRequired',
  FieldValueDuplicate: 'FieldValueDuplicate',
}

function refusal(rule: Json, value: Json, path: string, message: string): Cause {
  const place = textAt(rule, 'fieldPath') ? `${path}${textAt(rule, 'fieldPath')}` : path
  const reason = reasons[textAt(rule, 'reason') ?? '']
  const shown = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : value
  const cause = field.invalid(place.replace(/^\./, '') || '<nil>', shown, message)
  return reason ? { ...cause, reason } : cause
}

function checkRule(
  rule: Json,
  schema: JsonObject,
  value: Json,
  old: Json | undefined,
  path: string,
): Cause[] {
  const text = textAt(rule, 'rule') ?? ''
  // A rule about the way from the old to the new says nothing where there was no old.
  if (old === undefined && /\boldSelf\b/.test(text)) return []
  const variables = {
    self: celValue(value, schema),
    ...(old === undefined ? {} : { oldSelf: celValue(old, schema) }),
  }
  try {
    if (compile(text)(variables) === true) return []
    const expression = textAt(rule, 'messageExpression')
    const message = expression ? plain(compile(expression)(variables)) : textAt(rule, 'message')
    return [refusal(rule, value, path, message ?? `failed rule: ${text}`)]
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    return [refusal(rule, value, path, `rule evaluation error: ${error.message}`)]
  }
}

/** The old item that a list of maps had under the same keys. */
function oldItem(schema: JsonObject, item: Json, old: Json | undefined): Json | undefined {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return undefined
  const keys = listAt(schema, 'x-kubernetes-list-map-keys').map(plain)
  return old.find((one) => keys.every((name) => textAt(one, name) === textAt(item, name)))
}

/** What the rules of a structural schema find wrong with a value, given what it was before. */
export function checkRules(schema: JsonObject, value: Json, old: Json | undefined, path = ''): Cause[] {
  const causes = listAt(schema, key).flatMap((rule) => checkRule(rule, schema, value, old, path))
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items')
    if (!items) return causes
    return [
      ...causes,
      ...value.flatMap((item, i) => checkRules(items, item, oldItem(schema, item, old), `${path}[${i}]`)),
    ]
  }
  if (!isObject(value)) return causes
  const properties = objectAt(schema, 'properties') ?? {}
  const additional = objectAt(schema, 'additionalProperties')
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : additional
    if (!isObject(own) || member === undefined || member === null) continue
    causes.push(
      ...checkRules(own, member, isObject(old) ? old[name] : undefined, path ? `${path}.${name}` : name),
    )
  }
  return causes
}
