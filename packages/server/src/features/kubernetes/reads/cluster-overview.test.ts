import { expect, test } from 'vitest'
import { assess } from '../health/assess.ts'
import type { ClusterAssessment } from '../health/assessor.ts'
import { tablesOf } from '../health/tables.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import { podEntry } from '../watch/entries.ts'
import type { KindName } from '../watch/kinds.ts'
import { createTable } from '../watch/table.ts'
import { readOverview } from './cluster-overview.ts'

const nowMs = Date.parse('2026-01-01T01:00:00Z')
const cluster = { id: 1, organizationId: 1, title: 'prod', version: '1.33' }
const healthy = { state: 'healthy', reason: 'Healthy', detail: '', since: null, object: null } as const

const pod = (name: string) =>
  podEntry({
    metadata: { uid: name, name, namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [{ name: 'app' }] },
    status: {
      phase: 'Running',
      startTime: '2026-01-01T00:00:01Z',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:02Z' }],
      containerStatuses: [{ name: 'app', ready: true, restartCount: 0, state: { running: {} } }],
    },
  })

/** A cluster's lists as the watch keeps them: one object whose tables change under whoever holds it. */
function watched() {
  const tables = new Map<KindName, ReturnType<typeof createTable>>()
  const table = (kind: KindName) => {
    const found = tables.get(kind) ?? createTable()
    tables.set(kind, found)
    return found
  }
  const cached = {
    clusterId: 1,
    table,
    holds: () => true,
    failures: () => [],
    isPartial: () => false,
    silence: () => undefined,
    freshness: () => ({ asOf: '2026-01-01T01:00:00.000Z', isLive: true, noAnswerSince: null }),
    // Of a cache what an overview reads is given.
  } as unknown as ClusterCache
  return { cached, pods: table('pods') }
}

test('a pod that starts while metrics are waited for is in every count of the overview', async () => {
  const { cached, pods } = watched()
  pods.replaceAll(Array.from({ length: 32 }, (_, index) => pod(`web-${index}`)))
  const assessed = (): ClusterAssessment => ({
    ...assess(tablesOf(cached), nowMs),
    cluster: healthy,
    certificate: healthy,
    unreadable: null,
  })
  const reads: number[] = []
  const reading = {
    running: async () => cluster,
    readPart: async () => {
      reads.push(pods.size())
      return { cached, assessment: assessed() }
    },
  }
  const usage = {
    async recent() {
      // The first read is over by now, and holds an assessment of 32.
      await new Promise((resolve) => setImmediate(resolve))
      pods.upsert(pod('web-32'))
      return undefined
    },
  }
  const overview = await readOverview(
    { reading, usage, snapshots: {}, clusters: {} } as unknown as Parameters<typeof readOverview>[0],
    { organizationId: 1, clusterId: 1 },
  )
  expect(reads[0]).toBe(32)
  const counted = Object.values(overview.healthCounts.pods).reduce((sum, count) => sum + count, 0)
  expect([overview.pods.total, overview.pods.byPhase, counted, overview.workloads]).toEqual([
    33,
    { Running: 33 },
    33,
    33,
  ])
})
