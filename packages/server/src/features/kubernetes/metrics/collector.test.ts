import { clusterMetrics, metricDescription } from '@bey/contract'
import { afterAll, expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import type { Metrics, Sample } from '../../../platform/metrics/metrics.ts'
import { seriesKey } from '../../../platform/metrics/series.ts'
import { createClusterAgents } from '../connection/cluster-agents.ts'
import { createAssessor } from '../health/assessor.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { createKubeClient } from '../watch/kube-client.ts'
import { createWatchCache } from '../watch/watch-cache.ts'
import { collectMetrics } from './collector.ts'
import { createUsageSource } from './usage.ts'

const fake = await fakeCluster()
const log = createLog({ level: 'silent' })
const agents = createClusterAgents()
const cluster = { id: 1, organizationId: 1, title: 'prod' }
let hasMetrics = true

const usage = (cpu: string, memory: string) => ({ usage: { cpu, memory } })
fake.answer = (request, response) => {
  const [, kind] = /^\/apis\/metrics\.k8s\.io\/v1beta1\/(nodes|pods)/.exec(request.url ?? '') ?? []
  if (kind === undefined) return false
  const items =
    kind === 'nodes'
      ? [{ metadata: { name: 'n1' }, ...usage('900m', '3Gi') }]
      : ['web-1', 'web-2', 'alone'].map((name) => ({
          metadata: { name, namespace: 'shop' },
          containers: [usage('100m', '1Gi'), usage('50m', '0')],
        }))
  response
    .writeHead(hasMetrics ? 200 : 404, { 'content-type': 'application/json' })
    .end(JSON.stringify({ items }))
  return true
}

const pod = (name: string, owner: string | undefined, limits?: object, phase = 'Running') => ({
  metadata: {
    name,
    namespace: 'shop',
    uid: name,
    ...(owner && { ownerReferences: [{ kind: 'ReplicaSet', name: owner, controller: true }] }),
  },
  spec: {
    nodeName: 'n1',
    containers: [{ resources: { requests: { cpu: '200m', memory: '1Gi' }, ...(limits && { limits }) } }],
  },
  status: { phase },
})
fake.put('/api/v1/nodes', {
  metadata: { name: 'n1', uid: 'n1' },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    allocatable: { cpu: '4', memory: '16Gi', pods: '110' },
  },
} as never)
fake.put('/apis/apps/v1/deployments', { metadata: { name: 'web', namespace: 'shop', uid: 'd' } })
fake.put('/apis/apps/v1/replicasets', {
  metadata: {
    name: 'web-5d9',
    namespace: 'shop',
    uid: 'r',
    ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }],
  },
} as never)
fake.put('/api/v1/pods', pod('web-1', 'web-5d9', { cpu: '1', memory: '2Gi' }))
fake.put('/api/v1/pods', pod('web-2', 'web-5d9', { cpu: '1' }))
fake.put('/api/v1/pods', pod('alone', undefined))
fake.put('/api/v1/pods', pod('done', undefined, undefined, 'Succeeded'))

const cache = createWatchCache({
  client: createKubeClient(agents),
  connect: async () => fake.connection,
  setReachability: async () => undefined,
  live: { local: () => undefined, objectChanged: () => undefined, onSubscription: () => undefined },
  clock: realClock,
  log,
})
afterAll(async () => {
  cache.stop()
  await fake.stop()
  agents.close()
})

async function collected() {
  // The collector leaves out what is not there yet, and its next round is 15 s away.
  await cache.read(cluster, ['nodes', 'pods', 'replicasets', 'deployments', 'jobs'])
  const writes: Map<string, number>[] = []
  const write: Metrics['write'] = async (_organizationId, _entity, _at, samples: readonly Sample[]) => {
    writes.push(new Map(samples.map((sample) => [seriesKey(sample), sample.value])))
    return { written: samples.length, refused: 0, reason: null }
  }
  const source = createUsageSource({
    client: createKubeClient(agents),
    connect: async () => fake.connection,
    clock: realClock,
  })
  const collector = collectMetrics(cluster, {
    metrics: { write, release: () => undefined } as never,
    cache,
    assessor: createAssessor(realClock),
    usage: source,
    clock: realClock,
    log,
  })
  await expect.poll(() => writes.length).toBe(1)
  collector.stop()
  const [first] = writes
  return {
    of: (metric: string, labels?: Record<string, string>) =>
      first?.get(seriesKey({ metric, ...(labels && { labels }) })),
    /** Metrics and labels that were written and are not in the catalogue. */
    undescribed: () =>
      [...(first?.keys() ?? [])].filter((key) => {
        const [metric = '', ...pairs] = key.split('\n')
        const known = metricDescription(metric)?.labels
        return known === undefined || pairs.some((label, at) => at % 2 === 0 && !known.includes(label))
      }),
  }
}

const web = { namespace: 'shop', kind: 'Deployment', workload: 'web' }

test('use, requests, limits and counts are collected of the cluster, its nodes, workloads and pods', async () => {
  hasMetrics = true
  const { of, undescribed } = await collected()
  expect(undescribed()).toEqual([])
  expect(of(clusterMetrics.cpuUsed)).toBe(900)
  expect(of(clusterMetrics.cpuRequested)).toBe(600)
  expect(of(clusterMetrics.memoryAllocatable)).toBe(16 * 2 ** 30)
  expect(of(clusterMetrics.cpuUsed, { node: 'n1' })).toBe(900)
  expect(of(clusterMetrics.cpuUsed, web)).toBe(300)
  expect(of(clusterMetrics.memoryRequested, web)).toBe(2 * 2 ** 30)
  expect(of(clusterMetrics.cpuLimit, web)).toBe(2000)
  // One of its pods may use what it likes.
  expect(of(clusterMetrics.memoryLimit, web)).toBeUndefined()
  expect(of(clusterMetrics.cpuUsed, { namespace: 'shop', pod: 'alone' })).toBe(150)
  expect(of(clusterMetrics.pods)).toBe(4)
  expect(of(clusterMetrics.podsByPhase, { phase: 'Succeeded' })).toBe(1)
  // The three that have not ended say of no container that it is ready.
  expect(of(clusterMetrics.podsNotReady)).toBe(3)
  // Restarts are counted between two measurements.
  expect(of(clusterMetrics.restarts)).toBeUndefined()
})

test('without metrics-server what is requested and counted is collected, and no use is made up', async () => {
  hasMetrics = false
  const { of } = await collected()
  expect(of(clusterMetrics.cpuRequested)).toBe(600)
  expect(of(clusterMetrics.pods)).toBe(4)
  expect(of(clusterMetrics.cpuUsed)).toBeUndefined()
  expect(of(clusterMetrics.cpuUsed, web)).toBeUndefined()
})
