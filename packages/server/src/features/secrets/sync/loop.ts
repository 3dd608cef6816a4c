import { randomUUID } from 'node:crypto'
import { whenDue } from '../../../platform/db/due-work.ts'
import type { Log } from '../../../platform/log.ts'
import { createReconcile, type SyncParts } from './reconcile.ts'
import { claimDue } from './store.ts'

const atOnce = 8
/** Longer than the requests of one look at a cluster take: after it a claim of a process that died is free. */
const claimMs = 90_000

/**
 * Works on copies as they are due until stopped, on eight at once. Several servers of one database share the work.
 */
export function startSyncs({ log, ...parts }: SyncParts & { log: Log }): () => Promise<void> {
  const { database, clock } = parts
  const reconcile = createReconcile(parts)
  const busy = new Set<Promise<void>>()
  let checking: Promise<void> | undefined

  async function check(): Promise<void> {
    const limit = atOnce - busy.size
    if (limit <= 0) return
    const now = clock.now()
    const until = new Date(now.getTime() + claimMs)
    const claim = randomUUID()
    const due = await database.asSystem('sync secrets into clusters', (db) =>
      claimDue(db, { now, until, claim, limit }),
    )
    for (const each of due) {
      const work = reconcile({ ...each, claim })
        .catch((error: unknown) => {
          log.warn({ err: error, syncId: each.id }, 'A secret could not be kept in a cluster')
        })
        .finally(() => busy.delete(work))
      busy.add(work)
    }
  }
  const begin = () => {
    checking ??= check()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'The server could not look for secrets to keep in clusters')
      })
      .finally(() => (checking = undefined))
  }
  begin()
  const isDue = 'exists (select 1 from secret_syncs where next_at <= $1)'
  const cancel = whenDue({ database, clock, log }, { isDue, begin })
  return async () => {
    cancel()
    await checking
    await Promise.all(busy)
  }
}
