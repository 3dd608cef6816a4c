import { guaranteeOf, guaranteeTexts, triggerEventNames, triggerEventTable } from '@bey/contract'

import { expressionFunctions } from '../definition/expressions/cel-environment.ts'
import { valueSchema } from '../definition/expressions/value-schema.ts'
import { configSchemaOf } from './config-fields.ts'
import type { StepTypes } from './registry.ts'
import type { StepType } from './step-type.ts'

type Field = { description?: string; default?: unknown }

/** The reference of all types of steps in Markdown, as docs/workflows.md holds it. */
export function stepTypeReference(types: StepTypes): string {
  return [...types.values()].map(section).join('\n\n')
}

/** The functions of expressions as rows of a table. */
export function functionReference(): string {
  return expressionFunctions
    .map(({ signature, description }) => `| \`${signature}\` | ${description} |`)
    .join('\n')
}

/** The events of triggers and their fields as rows of a table. */
export function eventReference(): string {
  return triggerEventNames
    .map((name) => {
      const { label, fields } = triggerEventTable[name]
      return `| \`${name}\` | ${label} | ${['type', ...fields].map((field) => `\`${field}\``).join(', ')} |`
    })
    .join('\n')
}

function section(type: StepType): string {
  const { word, sentence } = guaranteeTexts[guaranteeOf(type.guarantee, type.example)]
  // Made by zod from an object.
  const schema = configSchemaOf(type) as { properties?: Record<string, Field>; required?: string[] }
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true
    const rest = isRequired ? 'required' : defaultText(field)
    return `- \`${name}\`${rest === '' ? '' : ` (${rest})`}${field.description ? `: ${field.description}` : ''}`
  })
  return [
    `### \`${type.type}\` – ${type.label}`,
    type.description,
    `**${word}.** ${sentence} ${type.guaranteeNote}`,
    fields.join('\n'),
    outputText(type),
    ['```json', JSON.stringify(type.example, null, 2), '```'].join('\n'),
  ].join('\n\n')
}

function outputText({ output }: StepType): string {
  const { properties = {} } = valueSchema(output)
  const names = Object.keys(properties).map((name) => `\`${name}\``)
  if (names.length > 0) return `Output: ${names.join(', ')}.`
  return output['additionalProperties'] === true ? `Output: ${String(output['description'])}` : 'No output.'
}

function defaultText({ default: value }: Field): string {
  const isTelling = value !== undefined && (typeof value !== 'object' || value === null)
  return isTelling && value !== '' ? `default \`${JSON.stringify(value)}\`` : ''
}
