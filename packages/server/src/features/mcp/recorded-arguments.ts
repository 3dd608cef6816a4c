import { redactNamedText } from '@bey/contract'

const maxFields = 30
const maxChars = 200

/** The arguments of a call as the audit trail keeps them: what was named, and of free input the names of its fields alone. */
export function recordedArguments(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .slice(0, maxFields)
      .map(([name, value]) => [name.slice(0, 100), recorded(value)]),
  )
}

function recorded(value: unknown): unknown {
  if (typeof value === 'string') return redactNamedText(value.slice(0, maxChars))
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object') return undefined
  return {
    fields: Object.keys(value)
      .slice(0, maxFields)
      .map((name) => name.slice(0, 100)),
  }
}
