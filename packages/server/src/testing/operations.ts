import { randomBytes } from 'node:crypto'

import type { Cluster } from '@bey/contract'
import { afterAll, vi } from 'vitest'

import { scriptedProvider } from '../features/clusters/testing/scripted-provider.ts'
import type { Publish } from '../features/workflows/ports.ts'
import { openOperations } from '../operations.ts'
import { realClock } from '../platform/clock.ts'
import { createDataKeys } from '../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../platform/crypto/root-key.ts'
import type { Database } from '../platform/db/database.ts'
import { createLog } from '../platform/log.ts'
import { testDatabase } from './database.ts'
import { createGiven, type GivenUser } from './given.ts'

/** Operations over a provider without machines, with what tests of them ask again and again. */
export async function testOperations(options: { database?: Database; sandboxesIn?: string } = {}) {
  return operate(options.database ?? (await testDatabase()), options.sandboxesIn)
}

/** `sandboxesIn` uses the real sandbox, with its state in this directory. */
async function operate(database: Database, sandboxesIn: string | undefined) {
  const given = createGiven(database)
  const provider = scriptedProvider()
  const key = randomBytes(32)
  const published: { type: string; organizationId: number; data: Record<string, unknown> }[] = []
  const publish: Publish = async (_db, events) => {
    for (const { type, organizationId, data } of events)
      published.push({ type, organizationId, data: { ...data } })
  }
  const operations = await openOperations({
    database,
    dataKeys: createDataKeys({ key, fingerprint: fingerprintOf(key) }),
    publish,
    clock: realClock,
    log: createLog({ level: 'fatal', write: () => undefined }),
    version: 'test',
    dataDir: sandboxesIn ?? '/nowhere',
    machineId: 'm1',
    sandboxSpeed: 1000,
    address: 'test',
    onClusterGone: async () => undefined,
    ...(sandboxesIn === undefined ? { provider } : {}),
  })
  await operations.start(operations.clusterWorkflows)
  afterAll(() => operations.stop())

  let counter = 0
  const title = () => `c-${(counter += 1)}`

  const until = <T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> =>
    vi.waitFor(
      async () => {
        const value = await read()
        if (!holds(value)) throw new Error(`Not yet: ${JSON.stringify(value).slice(0, 300)}`)
        return value
      },
      { timeout: 60_000, interval: 15 },
    )

  return {
    database,
    given,
    provider,
    published,
    operations,
    title,
    until,
    settled: (user: GivenUser, id: number, status: Cluster['status']) =>
      until(
        () => operations.clusters.get(user.organizationId, id),
        (cluster) => cluster.status === status,
      ),
    /** The newest run of a cluster in full. */
    runOf: async (user: GivenUser, cluster: Pick<Cluster, 'id'>) => {
      const { lastRun } = await operations.clusters.get(user.organizationId, cluster.id)
      if (lastRun === null) throw new Error('It has no run')
      return operations.workflows.run(user.organizationId, lastRun.workflowId, lastRun.runId)
    },
    create: (user: GivenUser, name = title()) =>
      operations.clusters.create(user.organizationId, { title: name, provider: 'sandbox' }, whoIs(user)),
  }
}

export function whoIs(user: GivenUser) {
  return { organizationId: user.organizationId, user, role: user.role, via: 'session' as const }
}

/** An operation that waits until it is let go, or until the run is cancelled. */
export function gate() {
  const entered = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const act = async (step: { signal: AbortSignal }) => {
    entered.resolve()
    const cancelled = Promise.withResolvers<void>()
    step.signal.addEventListener('abort', () => cancelled.reject(new Error('cancelled')), { once: true })
    await Promise.race([release.promise, cancelled.promise])
  }
  return { act, entered: entered.promise, release: release.resolve }
}
