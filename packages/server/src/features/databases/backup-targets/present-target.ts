import type { BackupTarget } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import type { TargetRow, TargetUse } from './target-rows.ts'

const maxUsers = 20

export function presentTarget(row: TargetRow, uses: readonly TargetUse[]): BackupTarget {
  const { id, name, endpoint, region, bucket, prefix, accessKeyId, checkedAt, checkProblem } = row
  const own = uses.filter(({ targetId }) => targetId === id)
  return {
    id,
    name,
    kind: 's3',
    endpoint,
    region,
    bucket,
    prefix,
    accessKeyId,
    lastCheck: checkedAt === null ? null : { at: checkedAt.toISOString(), problem: checkProblem },
    usedBy: own.slice(0, maxUsers).map((use) => ({ id: use.id, name: use.name })),
    databases: own.length,
    storedBytes: sumOf(own),
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export const sumOf = (uses: readonly TargetUse[]) =>
  uses.reduce((sum, { storedBytes }) => sum + storedBytes, 0)

/** The target of the organization; throws AppError `not_found` where there is none. */
export function existingTarget(row: TargetRow | undefined): TargetRow {
  if (row !== undefined) return row
  throw new AppError('not_found', 'There is no such backup target in this organization.')
}
