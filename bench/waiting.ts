import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { ownWorkflow } from '../packages/server/src/features/workflows/testing/own-workflows.ts'
import { latencyProbe, reportLatency } from './engine-latency.ts'
import { openService } from './engine-service.ts'
import { median } from './process-figures.ts'
import { withDatabase } from './with-database.ts'
import { report } from './figure.ts'

const waitingRuns = 2_000
const timedRuns = 100
const memoryCause = 'each is a function that waits in this process, with its input and what it has read'
const delayCause = 'its statements search tables and indexes that hold the runs that wait as well'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What runs that wait cost in memory, and whether they delay others. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const probe = latencyProbe()
    const { user, workflows, engine, start } = await openService(database, probe.options)
    const { organizationId } = user
    await database.ownerPool.query('analyze')
    const without = await probe.measure(start, timedRuns)
    const bytesBefore = bytesInUse()
    const workflowId = await ownWorkflow(database, user, {
      steps: [{ key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 3_600_000 } }],
    })
    const queue = Array.from({ length: waitingRuns }, (_, index) => index)
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (queue.pop() !== undefined) {
          await database.withTenant(organizationId, (db) =>
            workflows.startWorkflowRun(db, {
              organizationId,
              workflowId,
              input: {},
              trigger: 'manual',
              createdBy: user.id,
            }),
          )
        }
      }),
    )
    await allWaiting()
    const bytes = (bytesInUse() - bytesBefore) / waitingRuns
    // As autovacuum does after a minute: until then the update by which DBOS ends a run reads every run under way, for
    // PostgreSQL takes a partial index of them for as good as the key.
    await database.ownerPool.query('analyze')
    const among = await probe.measure(start, timedRuns)
    report({
      name: 'memory of a waiting run',
      value: bytes / 1_024,
      unit: 'KB',
      goal: 20,
      cause: memoryCause,
    })
    report({ name: 'places that they hold', value: engine.state().activeRuns, unit: '', goal: 0 })
    reportLatency(without, ', alone')
    reportLatency(among, `, among ${waitingRuns} that wait`)
    const delay = median(among.doneMs) / median(without.doneMs)
    report({
      name: 'a run among those that wait against one alone',
      value: delay,
      unit: '×',
      goal: 1.15,
      cause: delayCause,
    })
    await engine.stop()

    async function allWaiting(): Promise<void> {
      for (;;) {
        const { rows } = await database.ownerPool.query<{ count: number }>(
          `select count(*)::int as count from workflow_runs where status = 'waiting'`,
        )
        if (rows[0]?.count === waitingRuns) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  })
}

function bytesInUse(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
