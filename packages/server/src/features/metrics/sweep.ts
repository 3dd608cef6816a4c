import type { SweepCalls } from '../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
  'metrics.read': {
    call: ({ runningClusterId }) => ({
      params: { entity: 'cluster' },
      query: `ids=${runningClusterId}&metrics=cpu_used_millicores`,
    }),
  },
  'metrics.query': { call: () => ({ query: 'expr=sum(cpu_used_millicores)&range=3600' }) },
  'metrics.catalog': { call: () => ({}) },
}
