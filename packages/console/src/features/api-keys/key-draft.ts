import type { KeyResource, Permission, Role } from '@bey/contract'
import { apiKeyBounds, nameError, ordinaryPermissions, readPermissions } from '@bey/contract'
import type { NewApiKey } from '../../data/api-keys.ts'
import type { FieldErrors } from '../../lib/use-submission.ts'
import { splitList } from './key-text.ts'

export interface KeyDraft {
  name: string
  isPersonal: boolean
  preset: 'read' | 'everything' | 'chosen'
  /** In force where the preset is `chosen`. */
  chosen: readonly Permission[]
  isLimited: boolean
  resources: readonly KeyResource[]
  addresses: string
  rate: string
  days: string
}

export const emptyDraft: KeyDraft = {
  name: '',
  isPersonal: true,
  preset: 'read',
  chosen: [],
  isLimited: false,
  resources: [],
  addresses: '',
  rate: '',
  days: String(apiKeyBounds.defaultDays),
}

/** The permissions that a draft represents. */
export function permissionsOf({ preset, chosen }: KeyDraft, role: Role): readonly Permission[] {
  if (preset === 'read') return readPermissions(role)
  return preset === 'everything' ? ordinaryPermissions(role) : chosen
}

/** What is sent for a draft, and what is wrong with it by the path of each field. */
export function readDraft(
  draft: KeyDraft,
  role: Role,
): { input: NewApiKey | undefined; invalid: FieldErrors } {
  const permissions = permissionsOf(draft, role)
  const rate = draft.rate.trim() === '' ? null : Number(draft.rate)
  const invalid: Record<string, string> = {}
  const name = draft.name.trim()
  const wrongName = name === '' ? 'Enter a name for the key.' : nameError(name)
  if (wrongName !== undefined) invalid['name'] = wrongName
  if (permissions.length === 0) invalid['permissions'] = 'Choose at least one permission.'
  if (draft.isLimited && draft.resources.length === 0) {
    invalid['resources'] = 'Choose what the key is limited to, or let it reach the whole organization.'
  }
  if (!isRate(rate)) invalid['requestsPerMinute'] = rateError
  if (Object.keys(invalid).length > 0) return { input: undefined, invalid }
  const input: NewApiKey = {
    name,
    isPersonal: draft.isPersonal,
    permissions: [...permissions],
    resources: draft.isLimited ? [...draft.resources] : [],
    allowedAddresses: splitList(draft.addresses),
    requestsPerMinute: rate,
    expiresInDays: draft.days === 'never' ? null : Number(draft.days),
  }
  return { input, invalid }
}

export const rateError = `Enter a number from 1 to ${apiKeyBounds.maxRequestsPerMinute}, or leave it empty.`

export function isRate(rate: number | null): boolean {
  return rate === null || (Number.isInteger(rate) && rate >= 1 && rate <= apiKeyBounds.maxRequestsPerMinute)
}
