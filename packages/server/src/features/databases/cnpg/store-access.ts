import { clusterTargetProblem } from '@bey/contract'

import type { Database, Db } from '../../../platform/db/database.ts'
import type { DataKeys } from '../../../platform/crypto/data-keys.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { BucketAccess } from '../backup-targets/backup-places.ts'
import { accessOf } from '../backup-targets/open-store.ts'
import { findTarget, type TargetRow } from '../backup-targets/target-rows.ts'

/** The target of a new Cluster. Throws AppError at the field of the form where pods cannot back up to it. */
export async function requireClusterTarget(db: Db, organizationId: number, id: string): Promise<TargetRow> {
  const target = await findTarget(db, organizationId, id)
  const problem =
    target === undefined
      ? 'There is no such backup target in this organization.'
      : clusterTargetProblem(target)
  if (target !== undefined && problem === undefined) return target
  const message = problem ?? ''
  throw new AppError('invalid_request', message, { errors: [{ path: 'backups.targetId', message }] })
}

/** What a pod needs to reach a target as it is set up now. Throws StepFailure where the target is gone. */
export async function readTargetAccess(
  parts: { database: Database; dataKeys: DataKeys },
  organizationId: number,
  id: string,
): Promise<BucketAccess> {
  const found = await parts.database.readTenant(organizationId, async (db) => {
    const row = await findTarget(db, organizationId, id)
    return row && accessOf(parts, db, organizationId, row)
  })
  if (found !== undefined) return found
  throw new StepFailure('The backup target was deleted. Delete this database, and create it with another.')
}
