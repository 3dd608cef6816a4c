import type { Member } from '../../platform/act.ts'
import { AppError } from '../../platform/errors.ts'
import type { SecretParts } from './parts.ts'
import { createRotation } from './rotation.ts'
import { findSecretByName } from './store.ts'
import { listVersions } from './version-store.ts'

type Rotation = {
  organizationId: number
  actor: Member
  name: string
  reason: string
  overlapHours: number | null
}

/**
 * Rotates a secret for a step of a workflow. Asked again with the same reason it answers the version that was made then.
 * Throws AppError as a rotation by a person does.
 */
export function createRunRotation(parts: SecretParts) {
  const { rotate } = createRotation(parts)
  return async function rotateForRun({ organizationId, actor, name, reason, overlapHours }: Rotation) {
    const { row, made } = await parts.database.readTenant(organizationId, async (db) => {
      const found = await findSecretByName(db, organizationId, name)
      const versions = found === undefined ? [] : await listVersions(db, organizationId, found.id)
      return { row: found, made: versions.find((version) => version.reason === reason) }
    })
    if (row === undefined) {
      throw new AppError('not_found', `There is no secret "${name}" in this organization.`)
    }
    if (made !== undefined) return { version: made.version }
    const input = { reason, encoding: 'utf8', overlapHours, expectedVersion: row.currentVersion } as const
    const detail = await rotate(row.id, input, actor)
    return { version: detail.currentVersion }
  }
}
