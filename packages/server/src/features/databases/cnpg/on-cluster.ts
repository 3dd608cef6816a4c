import { AppError } from '../../../platform/errors.ts'
import type { DatabaseRow } from '../store.ts'

export type OnCluster = DatabaseRow & { clusterId: number; cnpg: NonNullable<DatabaseRow['cnpg']> }

/** A database with the Cluster that it is; throws AppError `conflict` for one that runs on no connected cluster. */
export function onCluster(row: DatabaseRow): OnCluster {
  const { clusterId, cnpg, name } = row
  if (clusterId !== null && cnpg !== null) return { ...row, clusterId, cnpg }
  throw new AppError('conflict', `The database "${name}" does not run on a connected cluster.`)
}
