import { isDeepStrictEqual } from 'node:util'
import { secretSyncLimits } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { publish } from '../../../platform/live/publish.ts'
import type { SecretRow } from '../store.ts'
import { ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import { deleteSync, finishSync, type SyncChange, type SyncRow } from './store.ts'
import { recordFinding } from './trail.ts'

const firstRetryMs = 5_000
const longestRetryMs = 5 * 60_000

/** Writes down how the work on one copy ended. */
export function createOutcome({ database, clock }: { database: Pick<Database, 'withTenant'>; clock: Clock }) {
  const inTenant = <T>({ organizationId }: SyncRow, work: (db: Db) => Promise<T>) =>
    database.withTenant(organizationId, work)

  function finish(sync: SyncRow, change: SyncChange, also?: (db: Db) => Promise<void>): Promise<void> {
    return inTenant(sync, async (db) => {
      await finishIn(db, sync, change)
      await also?.(db)
    })
  }

  async function finishIn(db: Db, sync: SyncRow, change: SyncChange): Promise<void> {
    const now = clock.now()
    const nextAt = new Date(now.getTime() + secretSyncLimits.checkMs)
    // Claimed by another process, or changed meanwhile: what was found is out of date, and the copy is due again.
    if (!(await finishSync(db, sync, { checkedAt: now, attempts: 0, nextAt, ...change }))) return
    const shown = ['state', 'error', 'syncedVersion', 'drift', 'syncedAt'] as const
    const isChanged = shown.some(
      (key) => change[key] !== undefined && !isDeepStrictEqual(change[key], sync[key]),
    )
    if (isChanged) await publishChange(db, sync)
  }

  /** Keeps the reason of a failure with the copy, and when to try again. */
  async function fail(sync: SyncRow, error: unknown): Promise<void> {
    const attempts = sync.attempts + 1
    const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(sync.attempts, 10))
    const state =
      sync.state === 'removing' ? 'removing' : error instanceof SyncConflict ? 'conflict' : 'failed'
    await finish(sync, {
      state,
      error:
        error instanceof ClusterFailure ? error.message : "A fault stopped it; the server's log says which.",
      attempts,
      nextAt: new Date(clock.now().getTime() + delayMs),
    })
  }

  /** The cluster is gone, or the secret: so the copy is no longer kept. */
  async function forget(sync: SyncRow, secret: SecretRow | undefined): Promise<void> {
    await inTenant(sync, async (db) => {
      await deleteSync(db, sync.organizationId, sync.id)
      const why = secret === undefined ? 'The secret is gone' : 'The cluster is gone'
      const act = { action: 'secret.sync.remove', class: 'delete', diff: { why } } as const
      await recordFinding(db, sync, secret?.name ?? '', act)
      await publishChange(db, sync)
    })
  }

  return { finish, finishIn, fail, forget }
}

function publishChange(db: Db, { organizationId, secretId }: SyncRow): Promise<void> {
  return publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId } })
}

/** The cluster has a Secret of this name that Bey did not make. */
export class SyncConflict extends ClusterFailure {}
