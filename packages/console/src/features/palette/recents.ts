import type { TextStorage } from '../../lib/storage.ts'
import { readJson } from '../../lib/storage.ts'

const maxRecents = 5

/** Something chosen lately. What belongs to an organization is shown in that organization only. */
export interface Recent {
  id: string
  /** Undefined for pages, actions and themes, which every organization has. */
  organizationId?: number
}

/** The last five chosen in this organization, newest first; what somebody else wrote under the key is ignored. */
export function readRecents(storage: TextStorage, organizationId: number): Recent[] {
  return readAll(storage)
    .filter((each) => each.organizationId === undefined || each.organizationId === organizationId)
    .slice(0, maxRecents)
}

export function addRecent(storage: TextStorage, recent: Recent): void {
  const others = readAll(storage).filter(
    (each) => each.id !== recent.id || each.organizationId !== recent.organizationId,
  )
  storage.write('recentPaletteItems', JSON.stringify([recent, ...others].slice(0, maxRecents)))
}

function readAll(storage: TextStorage): Recent[] {
  const stored = readJson(storage, 'recentPaletteItems')
  return Array.isArray(stored) ? stored.flatMap(parseRecent).slice(0, maxRecents) : []
}

function parseRecent(value: unknown): Recent[] {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string')
    return []
  const organizationId = 'organizationId' in value ? value.organizationId : undefined
  if (organizationId === undefined) return [{ id: value.id }]
  return typeof organizationId === 'number' ? [{ id: value.id, organizationId }] : []
}
