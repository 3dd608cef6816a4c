import type { SecretType } from '@bey/contract'
import { defaultGenerator, generateValue, secretFields, secretLimits } from '@bey/contract'

/** A value as it is typed: `text` for types of one text, `fields` for the others. */
export type ValueDraft = { text: string; fields: Readonly<Record<string, string>> }

export const emptyValue: ValueDraft = { text: '', fields: {} }

/** What is known of a value stays, so that only what changes is typed. */
export function knownValue(fields: Readonly<Record<string, string>>): ValueDraft {
  return { text: '', fields }
}

export function isEmptyValue({ text, fields }: ValueDraft): boolean {
  return text === '' && Object.values(fields).every((field) => field === '')
}

/** What is sent, or what is missing by field. */
export function readValue(
  type: SecretType,
  draft: ValueDraft,
): { value: string | Record<string, string> } | { errors: Record<string, string> } {
  const parts = secretFields[type]
  if (parts.length === 0) {
    if (draft.text === '') return { errors: { value: 'Enter a value.' } }
    const error = sizeError([draft.text])
    return error ? { errors: { value: error } } : { value: draft.text }
  }
  const value: Record<string, string> = {}
  const errors: Record<string, string> = {}
  for (const { name, label, isOptional } of parts) {
    const text = draft.fields[name] ?? ''
    if (text !== '') value[name] = text
    else if (!isOptional) errors[`value.${name}`] = `${label} is missing.`
  }
  const error = sizeError(Object.values(value))
  const [first] = parts
  if (error && first) errors[`value.${first.name}`] = error
  return Object.keys(errors).length > 0 ? { errors } : { value }
}

function sizeError(texts: readonly string[]): string | undefined {
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0)
  if (bytes <= secretLimits.valueBytes) return undefined
  return `The value has ${bytes} bytes and may have ${secretLimits.valueBytes} (64 KB).`
}

/** A new random value from the browser's own source. */
export function generatedValue(length: number, hasSymbols: boolean): string {
  return generateValue({ ...defaultGenerator, length, hasSymbols }, (bytes) =>
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
  )
}
