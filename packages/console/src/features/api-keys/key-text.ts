import type { ApiKey } from '@bey/contract'
import { entityOf } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'

export const keyHref = (id: string) => `/workspaces/settings/api-keys/${id}`

/** Whose key it is, as seen by a user. */
export function ownerText({ owner }: Pick<ApiKey, 'owner'>, userId: number | undefined): string {
  if (owner === null) return 'the organization'
  return owner.id === userId ? 'you' : owner.name
}

/** What a key may do, in a few words: `12 permissions · prod only`. */
export function reachText({ permissions, resources }: Pick<ApiKey, 'permissions' | 'resources'>): string {
  const rights = formatCount(permissions.length, 'permission')
  const [first] = resources
  if (first === undefined) return rights
  if (resources.length > 1) return `${rights} · ${resources.length} resources only`
  return `${rights} · ${first.name ?? `${entityOf(first.type).singular} ${first.id}`} only`
}

/** Texts that are separated by commas, blanks or lines. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}

/** Why a key cannot be changed; undefined while it is live. */
export function endedReason({ status }: Pick<ApiKey, 'status'>): string | undefined {
  if (status === 'revoked') return 'The key is revoked.'
  return status === 'expired' ? 'The key has expired.' : undefined
}
