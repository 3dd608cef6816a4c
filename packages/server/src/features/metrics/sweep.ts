import type { SweepCalls } from '../../testing/sweep.ts'

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
  'prometheus.query': { call: () => ({ query: 'query=1' }) },
  'prometheus.queryByForm': { call: () => ({ query: 'query=1' }) },
  'prometheus.queryRange': { call: () => ({ query: rangeQuery }) },
  'prometheus.queryRangeByForm': { call: () => ({ query: rangeQuery }) },
  'prometheus.labelValues': { call: () => ({ params: { name: 'cluster' } }), isForEveryOrganization: true },
  'prometheus.series': { call: () => ({ query: 'match[]=nodes' }) },
  'prometheus.seriesByForm': { call: () => ({ query: 'match[]=nodes' }) },
}

const rangeQuery = 'query=nodes&start=1700000000&end=1700000600&step=60'
