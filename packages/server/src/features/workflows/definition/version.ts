import { createHash } from 'node:crypto'
import type { WorkflowDefinitionBody } from '@bey/contract'

import type { Who } from '../../../platform/act.ts'
import { currentKey } from '../../../platform/keys/key-rights.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import type { NewVersion, VersionRow } from './store.ts'

type Facts = {
  organizationId: number
  id: string
  version: number
  reason: string
  userId: number
  /** The API key that saves it. */
  keyId?: string | null
  now: Date
}

/** The row of a version. */
export function newVersion(definition: WorkflowDefinitionBody, facts: Facts): NewVersion {
  return {
    organizationId: facts.organizationId,
    workflowId: facts.id,
    version: facts.version,
    definition,
    checksum: createHash('sha256').update(canonicalJson(definition)).digest('hex'),
    reason: facts.reason,
    createdBy: facts.userId,
    keyId: facts.keyId ?? null,
    createdAt: facts.now,
  }
}

/** Who saves a version in the present request. */
export function authorOf({ user }: Pick<Who, 'user'>): Pick<Facts, 'userId' | 'keyId'> {
  return { userId: user.id, keyId: currentKey()?.id ?? null }
}

/** Whether the author of the next version answers for its steps in place of the API key that saved the current one. */
export function isTakenOver(current: Pick<VersionRow, 'keyId'>, next: Pick<NewVersion, 'keyId'>): boolean {
  return current.keyId !== null && current.keyId !== next.keyId
}

/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

export function presentVersion(row: VersionRow) {
  const { version, reason, checksum, createdAt, createdBy, createdByName, createdByEmail, keyId, keyName } =
    row
  return {
    version,
    reason,
    checksum,
    createdAt: createdAt.toISOString(),
    createdBy: presentActor(createdBy, createdByName, createdByEmail),
    apiKey: keyId === null ? null : { id: keyId, name: keyName },
  }
}
