import { createHash } from 'node:crypto'
import type { WorkflowDefinitionBody } from '@bey/contract'

import { presentActor } from '../../../platform/present-actor.ts'
import type { NewVersion, VersionRow } from './store.ts'

type Facts = {
  organizationId: number
  id: string
  version: number
  reason: string
  userId: number
  now: Date
}

/** The row of a version. */
export function newVersion(definition: WorkflowDefinitionBody, facts: Facts): NewVersion {
  return {
    organizationId: facts.organizationId,
    workflowId: facts.id,
    version: facts.version,
    definition,
    checksum: createHash('sha256').update(canonical(definition)).digest('hex'),
    reason: facts.reason,
    createdBy: facts.userId,
    createdAt: facts.now,
  }
}

/** JSON with sorted keys, so that equal definitions have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

export function presentVersion(row: VersionRow) {
  const { version, reason, checksum, createdAt, createdBy, createdByName, createdByEmail } = row
  return {
    version,
    reason,
    checksum,
    createdAt: createdAt.toISOString(),
    createdBy: presentActor(createdBy, createdByName, createdByEmail),
  }
}
