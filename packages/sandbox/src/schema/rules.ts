import { celValue, CelError, compile, optionalValue } from '../cel/cel.ts'
import { check } from '../cel/check.ts'
import { at, isObject, listAt, objectAt, plain, textAt, type Json, type JsonObject } from '../json.ts'
import { field, type Cause } from '../status-error.ts'
import { ruleScope } from './rule-types.ts'

const key = 'x-kubernetes-validations'
const usesOld = /\boldSelf\b/

/** Whether a schema has rules anywhere; most have none, and cost nothing then. */
export function hasRules(schema: JsonObject): boolean {
  if (listAt(schema, key).length > 0) return true
  return inner(schema).some(hasRules)
}

function inner(schema: JsonObject): JsonObject[] {
  const properties = Object.values(objectAt(schema, 'properties') ?? {})
  return [...properties, schema['items'], schema['additionalProperties']].filter(isObject)
}

/** What an object of the API's own types looks like, without the Go types that it has there. */
function shown(rule: Json): JsonObject {
  const own = isObject(rule) ? rule : {}
  return {
    Rule: own['rule'] ?? '',
    Message: own['message'] ?? '',
    MessageExpression: own['messageExpression'] ?? '',
    Reason: own['reason'] ?? null,
    FieldPath: own['fieldPath'] ?? '',
    OptionalOldSelf: own['optionalOldSelf'] ?? null,
  }
}

type Place = {
  path: string
  isRoot: boolean
  /** The list, if any, below which an old item cannot be distinguished from another. */
  uncorrelatable?: string | undefined
}

function complaintsAbout(rule: Json, schema: JsonObject, { path, isRoot, uncorrelatable }: Place): Cause[] {
  const text = textAt(rule, 'rule')
  if (!text?.trim()) return [field.required(`${path}.rule`, 'rule is not specified')]
  const scope = ruleScope(schema, isRoot, at(rule, 'optionalOldSelf') === true)
  const causes: Cause[] = []
  const verdict = check(text, scope)
  const wrong = isOf(verdict.type, 'bool') ? verdict.wrong : 'cel expression must evaluate to a bool'
  if (wrong) causes.push(field.invalid(`${path}.rule`, shown(rule), wrong))
  else if (uncorrelatable !== undefined && usesOld.test(text)) {
    const lost = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`
    causes.push(field.invalid(`${path}.rule`, text, lost))
  }
  const message = textAt(rule, 'messageExpression')
  if (message === undefined) return causes
  const said = check(message, scope)
  const unclear = isOf(said.type, 'string')
    ? said.wrong && `messageExpression ${said.wrong}`
    : 'messageExpression must evaluate to a string'
  if (unclear) causes.push(field.invalid(`${path}.messageExpression`, shown(rule), unclear))
  return causes
}

/** Whether an expression may be of a type; what is known only at run time may be any. */
function isOf(type: string | undefined, wanted: string): boolean {
  return type === undefined || type === 'dyn' || type === wanted
}

/** What is wrong with the rules of a schema themselves, where the schema of a whole object stands at `path`. */
export function ruleComplaints(schema: JsonObject, path: string): Cause[] {
  return complaintsWithin(schema, { path, isRoot: true })
}

function complaintsWithin(schema: JsonObject, { path, isRoot, uncorrelatable }: Place): Cause[] {
  const causes = listAt(schema, key).flatMap((rule, i) =>
    complaintsAbout(rule, schema, { path: `${path}.${key}[${i}]`, isRoot, uncorrelatable }),
  )
  const inner = (own: unknown, place: string, lost = uncorrelatable) =>
    isObject(own) ? complaintsWithin(own, { path: place, isRoot: false, uncorrelatable: lost }) : []
  for (const [name, own] of Object.entries(objectAt(schema, 'properties') ?? {}))
    causes.push(...inner(own, `${path}.properties[${name}]`))
  causes.push(...inner(schema['additionalProperties'], `${path}.additionalProperties`))
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  return [...causes, ...inner(schema['items'], `${path}.items`, isMap ? uncorrelatable : path)]
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
  const isOldOptional = at(rule, 'optionalOldSelf') === true
  if (old === undefined && !isOldOptional && usesOld.test(text)) return []
  try {
    const before = old === undefined ? undefined : celValue(old, schema)
    const oldSelf = isOldOptional ? optionalValue(before) : before
    const variables = { self: celValue(value, schema), ...(oldSelf === undefined ? {} : { oldSelf }) }
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
