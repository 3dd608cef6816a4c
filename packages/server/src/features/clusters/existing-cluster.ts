import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { type lockCluster, lockWithNewestRun, type RunState } from './store.ts'

type LockedCluster = Awaited<ReturnType<typeof lockCluster>> & {}

/** The cluster with its newest run, locked until the transaction ends. Throws AppError `not_found`. */
export async function lockExisting(db: Db, organizationId: number, id: number) {
  const { cluster, newestRun } = await lockWithNewestRun(db, organizationId, id)
  return { cluster: existing(cluster), last: newestRun }
}

/** The row of a cluster; throws AppError `not_found` where there is none. */
export function existing<T>(row: T | undefined): T {
  if (row === undefined) throw noSuchCluster()
  return row
}

export function noSuchCluster(): AppError {
  return new AppError('not_found', 'This cluster does not exist in this organization.')
}

/** One that exists without Bey: it is disconnected, never deleted. */
export function isImported({ provider }: Pick<LockedCluster, 'provider'>): boolean {
  return provider === 'kubeconfig'
}

/** The reply to a request whose run is under way already. */
export function underWay(cluster: LockedCluster, run: RunState, what: string) {
  return {
    clusterId: cluster.id,
    workflowId: run.workflowId,
    runId: run.id,
    status: run.status,
    message: `The cluster "${cluster.title}" is being ${what} already.`,
  }
}
