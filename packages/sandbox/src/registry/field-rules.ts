import { isObject, plain, type Json, type JsonObject } from '../json.ts'
import { quantity } from '../quantity.ts'
import { field, type Cause } from '../status-error.ts'

/** What is wrong with one value, which may be missing from the object that it belongs to. */
export type Rule = (value: Json | undefined, path: string, owner: JsonObject) => Cause[]

/** Rules by the path of what they are about; `[]` means each item of a list. */
export type FieldRules = readonly (readonly [steps: readonly string[], rule: Rule])[]

/** Makes rules of a table such as `{ 'spec.ports[].protocol': oneOf('TCP', 'UDP') }`. */
export function fieldRules(table: Readonly<Record<string, Rule>>): FieldRules {
  return Object.entries(table).map(([path, rule]) => [path.split('.'), rule])
}

/** What the rules find wrong with a value whose own path is `prefix`. */
export function checkFields(rules: FieldRules, value: unknown, prefix = ''): Cause[] {
  return rules.flatMap(([steps, rule]) => visit(value, steps, 0, prefix, rule))
}

function visit(value: unknown, steps: readonly string[], at: number, path: string, rule: Rule): Cause[] {
  if (!isObject(value)) return []
  const step = steps[at] ?? ''
  const isLast = at === steps.length - 1
  const name = step.replace('[]', '')
  const inner = path === '' ? name : `${path}.${name}`
  const member = value[name] ?? undefined
  if (!step.endsWith('[]'))
    return isLast ? rule(member, inner, value) : visit(member, steps, at + 1, inner, rule)
  if (!Array.isArray(member)) return []
  return member.flatMap((item, i) =>
    isLast ? rule(item, `${inner}[${i}]`, value) : visit(item, steps, at + 1, `${inner}[${i}]`, rule),
  )
}

/** The value is one of these, where it is given. */
export function oneOf(...allowed: string[]): Rule {
  return (value, path) =>
    value === undefined || allowed.includes(plain(value)) ? [] : [field.unsupported(path, value, allowed)]
}

export function required(detail = ''): Rule {
  return (value, path) => (value === undefined || value === '' ? [field.required(path, detail)] : [])
}

export function atLeast(least: number, detail = 'must be greater than or equal to 0'): Rule {
  return (value, path) =>
    typeof value === 'number' && value < least ? [field.invalid(path, value, detail)] : []
}

export function between(least: number, most: number, detail?: string): Rule {
  const text = detail ?? `must be between ${least} and ${most}, inclusive`
  return (value, path) =>
    typeof value === 'number' && (value < least || value > most) ? [field.invalid(path, value, text)] : []
}

/** A text that passes a test, where there is one. */
export function text(test: (value: string) => boolean, detail: string): Rule {
  return (value, path) =>
    typeof value === 'string' && value !== '' && !test(value) ? [field.invalid(path, value, detail)] : []
}

const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

/** A number that is not negative, or a share of at most all. */
export const share: Rule = (value, path) => {
  if (typeof value === 'number') return atLeast(0)(value, path, {})
  if (typeof value !== 'string') return []
  if (!/^\d+%$/.test(value)) return [field.invalid(path, value, percentText)]
  return Number(value.slice(0, -1)) > 100 ? [field.invalid(path, value, 'must not be greater than 100%')] : []
}

/** An object that has exactly one of these members. */
export function oneMember(names: readonly string[], none: string, many: string): Rule {
  return (value, path) => {
    if (!isObject(value)) return []
    const set = names.filter((name) => value[name] !== undefined)
    if (set.length === 0) return [field.invalid(path, '', none)]
    return set.length > 1 ? [field.invalid(path, '', many)] : []
  }
}

/** Quantities by name, none of them negative, each of a name that is known. */
export function quantities(isKnown: (name: string) => boolean, detail: string): Rule {
  return (value, path) =>
    Object.entries(isObject(value) ? value : {}).flatMap(([name, amount]) => [
      ...(isKnown(name) ? [] : [field.invalid(`${path}[${name}]`, name, detail)]),
      ...(quantity(plain(amount)) < 0
        ? [field.invalid(`${path}[${name}]`, amount, 'must be greater than or equal to 0')]
        : []),
    ])
}
