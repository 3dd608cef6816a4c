import { prometheusServer } from '../../testing/prometheus-server.ts'
import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

const source = (url = 'http://127.0.0.1:1') => ({
  name: newName(),
  target: { kind: 'url', url },
  isUntested: true,
})

async function sourceOf(world: World, url?: string): Promise<SweepCall> {
  const { body } = await asOwner(world, 'POST', '/api/metrics-sources', source(url))
  return { params: { id: body.id } }
}

/** A source that is stopped with the process of the test. */
async function answeringSourceOf(world: World): Promise<SweepCall> {
  const { url, unref } = await prometheusServer()
  unref()
  return sourceOf(world, url)
}

export const sweepCalls: SweepCalls = {
  'metrics.read': {
    call: ({ runningClusterId }) => ({
      params: { entity: 'cluster' },
      query: `ids=${runningClusterId}&metrics=cpu_used_millicores`,
    }),
  },
  'metrics.query': { call: () => ({ query: 'expr=sum(cpu_used_millicores)&range=3600' }) },
  'metrics.usual': { call: () => ({ query: 'expr=sum(cpu_used_millicores)&range=3600&weeks=2' }) },
  'metrics.catalog': { call: () => ({}) },
  'metrics.sources.create': { call: () => ({ body: source() }) },
  'metrics.sources.update': {
    call: async (world) => ({ ...(await sourceOf(world)), body: { name: newName() } }),
  },
  'metrics.sources.delete': { call: (world) => sourceOf(world) },
  'metrics.sources.test': { call: () => ({ body: { target: source().target } }) },
  'metrics.sources.check': { call: (world) => sourceOf(world) },
  'metrics.sources.catalog': { call: answeringSourceOf },
  'prometheus.query': { call: () => ({ query: 'query=1' }) },
  'prometheus.queryByForm': { call: () => ({ query: 'query=1' }) },
  'prometheus.queryRange': { call: () => ({ query: rangeQuery }) },
  'prometheus.queryRangeByForm': { call: () => ({ query: rangeQuery }) },
  'prometheus.labelValues': { call: () => ({ params: { name: 'cluster' } }), isForEveryOrganization: true },
  'prometheus.series': { call: () => ({ query: 'match[]=nodes' }) },
  'prometheus.seriesByForm': { call: () => ({ query: 'match[]=nodes' }) },
}

const rangeQuery = 'query=nodes&start=1700000000&end=1700000600&step=60'
