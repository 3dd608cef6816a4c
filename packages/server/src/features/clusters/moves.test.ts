import { clusterMoves, clusterStatuses } from '@bey/contract'
import { expect, test } from 'vitest'

import { IllegalMove } from '../../platform/moves.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { assignRun, findCluster, moveCluster } from './store.ts'

const database = await testDatabase()
const given = createGiven(database)

/** What are statuses of a row; the others are only ever said in live messages. */
const stored = clusterStatuses.filter((status) => status !== 'COMPLETED' && status !== 'FAILED')
const pairs = stored.flatMap((from) => stored.filter((to) => to !== from).map((to) => ({ from, to })))

test.each(pairs)(
  'the end of a run moves a cluster from $from to $to only if that is legal',
  async ({ from, to }) => {
    const run = await given.run()
    const { organizationId } = run
    const cluster = await given.cluster({ organizationId, status: from, lastRunId: run.id })
    const statusNow = () =>
      database.withTenant(
        organizationId,
        async (db) => (await findCluster(db, organizationId, cluster.id))?.status,
      )
    const move = database.withTenant(organizationId, (db) =>
      moveCluster(db, cluster.id, run.id, [from], to, {}),
    )
    if (clusterMoves[from].includes(to)) {
      expect(await move).toBe(true)
      expect(await statusNow()).toBe(to)
      return
    }
    await expect(move).rejects.toThrow(IllegalMove)
    const next = database.withTenant(organizationId, (db) =>
      assignRun(db, { id: cluster.id, status: from }, run.id, to),
    )
    await expect(next).rejects.toThrow(IllegalMove)
    expect(await statusNow()).toBe(from)
  },
)
