import { type SweepCalls, type World } from '../../testing/sweep.ts'

const id = ({ runningClusterId }: World) => `cluster:${runningClusterId}`

export const sweepCalls: SweepCalls = {
  'relations.graph': { call: () => ({}), besideRows: ['boxes', 'edges', 'gaps'] },
  'relations.list': { call: () => ({}), besideRows: ['gaps'] },
  'relations.find': { call: () => ({}) },
  'relations.of': { call: (world) => ({ query: `id=${id(world)}` }) },
  'relations.path': { call: (world) => ({ query: `from=${id(world)}&to=${id(world)}` }) },
  'relations.impact': { call: (world) => ({ query: `id=${id(world)}` }) },
}
