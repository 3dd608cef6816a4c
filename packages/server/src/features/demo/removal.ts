import { sql } from 'drizzle-orm'
import type { Database, Db } from '../../platform/db/database.ts'
import { isRetryable } from '../../platform/db/failure.ts'
import type { DemoLife } from '../../platform/demo.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { notADemo } from './service.ts'
import {
  allClusters,
  beginRemoval,
  deleteTrail,
  endedDemos,
  findDemo,
  keepVisitorsElsewhere,
} from './store.ts'

export type RemovalDeps = {
  database: Database
  /** Stops the processes of clusters and removes their state. */
  endClusters: (clusters: Awaited<ReturnType<typeof allClusters>>) => Promise<void>
  /** Stops measuring clusters that do not run any more. */
  stopObserving: () => Promise<void>
  /** What goes on in demos beside their clusters. */
  lives: () => readonly Pick<DemoLife, 'end'>[]
  /** Writes what was counted of requests to clusters, so that none of it comes after the end of the trail. */
  flushAudit: () => Promise<void>
  /** Lets the engine forget the runs of an organization. */
  forgetRuns: (organizationId: number) => Promise<void>
  /** Deletes every row of the organization outside its trail. */
  deleteRows: (db: Db, organizationId: number) => Promise<void>
}

/** Removes demos with every row and file of theirs. What a crash leaves behind, the next `removeEnded` finishes. */
export function createDemoRemoval(deps: RemovalDeps) {
  const { database, stopObserving, endClusters, flushAudit, lives, forgetRuns, deleteRows } = deps

  async function remove(organizationId: number): Promise<void> {
    await database.asSystem('begin to remove a demo', async (db) => {
      // An organization that is no demo is never touched.
      if ((await findDemo(db, organizationId)) === undefined) throw notADemo()
      await beginRemoval(db, organizationId)
    })
    // First, so that nothing is written about the clusters after their rows are gone.
    await stopObserving()
    const clusters = await database.asSystem('find the clusters of a demo', (db) =>
      allClusters(db, organizationId),
    )
    await endClusters(clusters)
    for (const { end } of lives()) await end(organizationId)
    await flushAudit()
    await forgetRuns(organizationId)
    for (let triesLeft = 5; triesLeft > 0; triesLeft -= 1) {
      try {
        await database.asSystem('remove a demo', (db) => deleteDemo(db, organizationId))
        return
      } catch (error) {
        // Rows of the demo that are written at the same time are locked in another order than they are deleted in.
        if (triesLeft === 1 || !isRetryable(error)) throw error
      }
    }
  }

  async function deleteDemo(db: Db, organizationId: number): Promise<void> {
    const { rows: members } = await db.execute<{ user_id: number }>(
      sql`select user_id from memberships where organization_id = ${organizationId}`,
    )
    await keepVisitorsElsewhere(db, organizationId)
    await deleteTrail(db, organizationId)
    await deleteRows(db, organizationId)
    await db.execute(sql`
      delete from idempotency_keys where endpoint = 'demo.create'
        and response #>> '{organization,id}' = ${String(organizationId)}`)
    await db.execute(sql`delete from organizations where id = ${organizationId}`)
    for (const { user_id: userId } of members) await endAccess(db, { kind: 'member', organizationId, userId })
  }

  return {
    remove,
    async removeEnded(now: Date): Promise<void> {
      const ended = await database.asSystem('find demos that have ended', (db) => endedDemos(db, now))
      for (const organizationId of ended) await remove(organizationId)
    },
  }
}
