import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { StepTypeInfo } from '@bey/contract'
import { fieldKind, fieldsOf } from '../schema-form/field-schema.ts'
import type { Draft } from '../definition/draft.ts'
import type { Suggestion } from './suggestions.ts'
import { functions, typedName } from './suggestions.ts'

/** What the completion of a text knows; read anew each time. */
export interface CompletionSource {
  draft: Draft
  types: readonly StepTypeInfo[]
  /** The step in which the text stands, by the offset of a place. */
  stepAt: (offset: number) => number | undefined
  suggestions: (step: number | undefined) => readonly Suggestion[]
}

const stepFields = [
  'key',
  'name',
  'type',
  'needs',
  'when',
  'config',
  'foreach',
  'timeout_ms',
  'retry',
  'continue_on_error',
  'concurrency',
  'compensate',
]
const workflowFields = [
  'name',
  'description',
  'type',
  'tags',
  'input_schema',
  'steps',
  'outputs',
  'parallel',
  'timeout_ms',
  'concurrency',
  'priority',
  'queue_timeout_ms',
  'retention_days',
]

/** Completes types, keys of steps, fields, and what expressions can name. */
export function yamlCompletion(source: () => CompletionSource) {
  return (place: CompletionContext): CompletionResult | null => {
    const line = place.state.doc.lineAt(place.pos)
    const before = line.text.slice(0, place.pos - line.from)
    const known = source()
    const step = known.stepAt(place.pos)
    const syntax = /^\s*(?:- )?(?:when|items|success|match):\s/.test(before) ? 'expression' : 'template'
    const typed = typedName(before, syntax)
    if (typed) {
      if (typed.name === '' && !place.explicit) return null
      const names = known.suggestions(step).filter(({ isSecret }) => !isSecret || typed.isInBraces)
      return {
        from: line.from + typed.from,
        options: [...names, ...functions].map(({ name, detail }) => ({ label: name, detail })),
        validFor: /^[\w.@-]*$/,
      }
    }
    const options = plainOptions(before, known, step)
    const [word = ''] = /[\w.]*$/.exec(before) ?? []
    if (!options || (word === '' && !place.explicit)) return null
    return { from: place.pos - word.length, options, validFor: /^[\w.]*$/ }
  }
}

function plainOptions(
  before: string,
  { draft, types }: CompletionSource,
  step: number | undefined,
): Completion[] | undefined {
  if (step !== undefined && /^\s+(?:- )?type:\s*[\w.]*$/.test(before))
    return types.map(({ type, label }) => ({ label: type, detail: label }))
  if (/^\s+needs:\s*\[[^\]]*$/.test(before))
    return draft.steps.map(({ key, name }) => ({ label: key, detail: name }))
  if (/^\w*$/.test(before)) return workflowFields.map((label) => ({ label, apply: `${label}: ` }))
  const own = step === undefined ? undefined : draft.steps[step]
  if (!own) return undefined
  if (/^ {4}\w*$/.test(before)) return stepFields.map((label) => ({ label, apply: `${label}: ` }))
  if (!/^ {6}\w*$/.test(before)) return undefined
  const schema = types.find(({ type }) => type === own.type)?.configSchema
  return fieldsOf(schema).map(([name, field]) => ({
    label: name,
    detail: fieldKind(name, field),
    info: field.description ?? '',
    apply: `${name}: `,
  }))
}
