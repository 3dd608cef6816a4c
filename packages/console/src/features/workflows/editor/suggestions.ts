import type { StepTypeInfo } from '@bey/contract'
import { ancestorsOf } from '@bey/contract'
import { fieldsOf, typeOf } from '../schema-form/field-schema.ts'
import type { Draft } from '../definition/draft.ts'
import { asGraph, isRecord } from '../definition/draft.ts'

/** Something that an expression can name, with its value in an earlier run where there is one. */
export interface Suggestion {
  name: string
  /** Its value, or what it is. */
  detail: string
  /** Only within braces of a template. */
  isSecret?: boolean
  /** Only in expressions that the type of the step evaluates itself and that know this variable. */
  variable?: string
}

/** Values of an earlier run, as expressions see them. */
export interface KnownValues {
  inputs?: unknown
  steps?: unknown
}

const deepest = 4
const mostLeaves = 200

/** Everything that the expressions of a step can name. Without a step: what those of the workflow can. */
export function suggestionsFor(
  draft: Draft,
  index: number | undefined,
  known: KnownValues,
  types: readonly StepTypeInfo[],
  secrets: readonly string[],
): Suggestion[] {
  const step = index === undefined ? undefined : draft.steps[index]
  const ancestors = step && step.key !== '' ? ancestorsOf(asGraph(draft.steps), step.key) : undefined
  const earlier = draft.steps.filter(({ key }) => key !== '' && (ancestors?.has(key) ?? step === undefined))
  const inputs = isRecord(known.inputs) ? known.inputs : {}
  const steps = isRecord(known.steps) ? known.steps : {}
  return [
    ...fieldsOf(draft.root['input_schema']).flatMap(([name, schema]) =>
      leaves(`inputs.${name}`, inputs[name] ?? schema.default, typeOf(schema) ?? 'value'),
    ),
    ...earlier.flatMap(({ key, type }) => {
      const value = steps[key]
      if (isRecord(value) && value['output'] !== undefined)
        return leaves(`steps.${key}.output`, value['output'], '')
      const schema = types.find((each) => each.type === type)?.outputSchema
      const fields = fieldsOf(schema).map(([name, field]) => ({
        name: `steps.${key}.output.${name}`,
        detail: field.description ?? typeOf(field) ?? '',
      }))
      return fields.length > 0 ? fields : [{ name: `steps.${key}.output`, detail: 'output of the step' }]
    }),
    ...earlier.map(({ key }) => ({ name: `steps.${key}.status`, detail: 'succeeded, failed, skipped …' })),
    ...(step?.raw['foreach']
      ? [
          { name: 'item', detail: 'the item of this iteration' },
          { name: 'index', detail: 'counts from 0' },
        ]
      : []),
    ...(step ? ownVariables(step, steps, types) : []),
    ...runVariables,
    ...secrets.map((name) => ({
      name: `secrets.${name}`,
      detail: 'hidden; the step may use it',
      isSecret: true,
    })),
  ]
}

/** What the expressions of the step's own type know: `response` with what the step got in an earlier run. */
function ownVariables(
  { key, type }: { key: string; type: string },
  steps: Readonly<Record<string, unknown>>,
  types: readonly StepTypeInfo[],
): Suggestion[] {
  const fields = fieldsOf(types.find((each) => each.type === type)?.configSchema)
  const names = new Set(fields.flatMap(([, schema]) => schema['x-expression'] ?? []))
  const value = steps[key]
  const got = isRecord(value) ? value['output'] : undefined
  return [...names].flatMap((variable) =>
    leaves(variable, variable === 'response' ? got : undefined, 'known to this expression').map((each) => ({
      ...each,
      variable,
    })),
  )
}

const runVariables: readonly Suggestion[] = [
  { name: 'run.id', detail: 'id of the run' },
  { name: 'run.started_at', detail: 'when it began' },
  { name: 'run.trigger', detail: 'manual, schedule, webhook, event' },
  { name: 'run.started_by', detail: 'who or what started it' },
  { name: 'run.attempt', detail: '1, more for retries' },
]

/** Functions that people need most; the language is CEL. */
export const functions: readonly Suggestion[] = [
  { name: 'size(list)', detail: 'how many items, letters or keys' },
  { name: 'has(steps.a.output.b)', detail: 'whether a field is there' },
  { name: '"x" in list', detail: 'whether a list or map has it' },
  { name: 'text.contains("x")', detail: 'whether a text has another' },
  { name: 'text.startsWith("x")', detail: 'how a text begins' },
  { name: 'text.matches("^v[0-9]+")', detail: 'whether a pattern fits' },
  { name: 'list.filter(x, x > 1)', detail: 'the items that fit' },
  { name: 'list.map(x, x.name)', detail: 'each item made another' },
  { name: 'list.all(x, x > 1)', detail: 'whether all items fit' },
  { name: 'list.exists(x, x > 1)', detail: 'whether one item fits' },
  { name: 'int("5")', detail: 'a number of a text' },
  { name: 'string(5)', detail: 'a text of a value' },
  { name: 'a ? b : c', detail: 'b if a is true, else c' },
]

/** The value with what can be reached in it, as text that fits beside a name. */
function leaves(name: string, value: unknown, kind: string, depth = 0): Suggestion[] {
  if (value === undefined) return [{ name, detail: kind }]
  const own = { name, detail: shortText(value) }
  if (depth >= deepest || !isRecord(value)) return [own]
  const inner = Object.entries(value)
    .filter(([key]) => /^[A-Za-z_]\w*$/.test(key))
    .flatMap(([key, each]) => leaves(`${name}.${key}`, each, kind, depth + 1))
  return [own, ...inner].slice(0, mostLeaves)
}

/** A value as JSON that fits beside a name. */
export function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** What is being typed before the caret, where an expression is: the name so far and where it begins. */
export function typedName(
  before: string,
  syntax: 'template' | 'expression',
): { name: string; from: number; isInBraces: boolean } | undefined {
  const open = before.lastIndexOf('{{')
  const isInBraces = open !== -1 && !before.slice(open).includes('}}')
  if (syntax === 'template' && !isInBraces) return undefined
  const [name = ''] = /[\w.@-]*$/.exec(before) ?? []
  // A number or the inside of a text is no name.
  const quotes =
    before
      .slice(isInBraces ? open : 0)
      .replaceAll('\\"', '')
      .split('"').length - 1
  if (quotes % 2 === 1 && syntax === 'expression') return undefined
  return { name, from: before.length - name.length, isInBraces }
}

/** The suggestions that go on with what is typed, the nearest first. */
export function matching(suggestions: readonly Suggestion[], name: string): Suggestion[] {
  const wanted = name.toLowerCase()
  const rank = (each: Suggestion) => {
    const text = each.name.toLowerCase()
    if (text.startsWith(wanted)) return 0
    return text.includes(wanted) ? 1 : 2
  }
  return suggestions
    .filter((each) => rank(each) < 2 && each.name !== name)
    .toSorted((left, right) => rank(left) - rank(right))
}
