import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ownWorkflow } from '../packages/server/src/features/workflows/testing/own-workflows.ts'
import { openOperations } from '../packages/server/src/operations.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import { createDataKeys } from '../packages/server/src/platform/crypto/data-keys.ts'
import { fingerprintOf } from '../packages/server/src/platform/crypto/root-key.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { publishAll } from '../packages/server/src/platform/live/publish.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { root } from '../tools/source-files.ts'
import { withDatabase } from './with-database.ts'
import { report } from './figure.ts'

const runs = 192
const answerMs = 400
const stepsOfRun = ['one', 'two', 'three']

/** Runs per second of two workers against one, where steps wait for an answer from elsewhere. */
export async function run(): Promise<void> {
  const server = createServer((_request, reply) => setTimeout(() => reply.end('{}'), answerMs))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await withDatabase(async (database) => {
    const one = await perSecond(database, url, 1)
    const two = await perSecond(database, url, 2)
    const detail = `${two.toFixed(1)} against ${one.toFixed(1)} runs/s`
    report({
      name: 'two workers against one',
      value: two / one,
      unit: '×',
      goal: 1.8,
      isAtLeast: true,
      detail,
      cause: 'both workers share one PostgreSQL and the processors of this machine',
    })
  })
  server.close()
}

async function perSecond(database: Database, url: string, count: number): Promise<number> {
  const key = randomBytes(32)
  const operations = await openOperations({
    database,
    dataKeys: createDataKeys({ key, fingerprint: fingerprintOf(key) }),
    publish: publishAll,
    clock: realClock,
    log: createLog({ level: 'error', write: (line) => process.stderr.write(line) }),
    version: 'bench',
    dataDir: '/nowhere',
    machineId: 'bench',
    sandboxSpeed: 1_000,
    role: 'web',
    address: 'bench',
    onClusterGone: async () => undefined,
  })
  await operations.start(operations.clusterWorkflows)
  const user = await createGiven(database).user()
  const { organizationId } = user
  const workflowId = await ownWorkflow(database, user, {
    steps: stepsOfRun.map((each) => ({ key: each, name: each, type: 'http', config: { url } })),
  })
  const workers = Array.from({ length: count }, () => startWorker(database.url))
  await until(async () => (await operations.workflows.engineStatus(organizationId)).workers.length === count)
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: runs }, () =>
      database.withTenant(organizationId, (db) =>
        operations.workflows.startWorkflowRun(db, {
          organizationId,
          workflowId,
          input: {},
          trigger: 'manual',
          createdBy: user.id,
        }),
      ),
    ),
  )
  await until(async () => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      'select count(*)::int as count from workflow_runs where organization_id = $1 and finished_at is null',
      [organizationId],
    )
    return rows[0]?.count === 0
  })
  const seconds = (performance.now() - startedAt) / 1_000
  await Promise.all(workers.map((worker) => worker.stop()))
  await operations.stop()
  return runs / seconds
}

function startWorker(databaseUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-worker-'))
  const child: ChildProcess = spawn(process.execPath, [join(root, 'packages/server/src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      BEY_ROLE: 'worker',
      DATABASE_URL: databaseUrl,
      BEY_SECRET_KEY: secretKey,
      BEY_DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
    },
  })
  return {
    async stop(): Promise<void> {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const secretKey = randomBytes(32).toString('base64')

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 25))
}
