import type { SecretType } from '@bey/contract'
import { isValidSecretName, secretNameRule } from '@bey/contract'
import type { NewSecret } from '../../data/secrets.ts'
import type { FieldErrors } from '../../lib/use-submission.ts'
import { parseLabels } from '../../lib/label-text.ts'
import { emptyValue, isEmptyValue, readValue } from './value-draft.ts'
import type { ValueDraft } from './value-draft.ts'

/** A secret as it is typed. */
export interface SecretDraft {
  name: string
  description: string
  type: SecretType
  value: ValueDraft
  labels: string
  /** A day, `2026-12-31`; empty for never. */
  expiresOn: string
  requireCas: boolean
}

export const emptyDraft: SecretDraft = {
  name: '',
  description: '',
  type: 'opaque',
  value: emptyValue,
  labels: '',
  expiresOn: '',
  requireCas: false,
}

/** What is sent, or everything that is wrong, by the path that the server gives the same field. */
export function readDraft(
  draft: SecretDraft,
): { input: NewSecret; invalid: FieldErrors } | { input: undefined; invalid: FieldErrors } {
  const { name, description, type, expiresOn, requireCas } = draft
  const value = readValue(type, draft.value)
  const labels = parseLabels(draft.labels)
  const wrongName = name === '' ? 'Enter a name.' : nameError(name)
  if (wrongName || 'errors' in value || 'error' in labels) {
    const invalid = {
      ...(wrongName ? { name: wrongName } : {}),
      ...('errors' in value ? value.errors : {}),
      ...('error' in labels ? { labels: labels.error } : {}),
    }
    return { input: undefined, invalid }
  }
  const expiry = expiresOn === '' ? {} : { expiresAt: new Date(`${expiresOn}T23:59:59`).toISOString() }
  const input = { name, description, type, requireCas, value: value.value, labels: labels.labels, ...expiry }
  return { input, invalid: {} }
}

/** What is wrong with a name while it is typed; an empty one is wrong only once it is submitted. */
export function nameError(name: string): string | undefined {
  return name === '' || isValidSecretName(name) ? undefined : secretNameRule
}

/** Names what leaving would lose; undefined while nothing was typed that counts. */
export function lostText({ name, value }: SecretDraft): string | undefined {
  if (name !== '') return `the secret “${name}”`
  return isEmptyValue(value) ? undefined : 'the secret that you describe'
}
