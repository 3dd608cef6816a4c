import type { SweepCalls } from '../../testing/sweep.ts'

const cards = [{ card: 'services', width: 12 }]

export const sweepCalls: SweepCalls = {
  'analytics.services': { call: () => ({}) },
  'analytics.outlook': { call: () => ({}) },
  'analytics.layout': { call: () => ({}) },
  'analytics.setLayout': { call: () => ({ body: { cards } }) },
  'analytics.shareLayout': { call: () => ({ body: { cards } }) },
}
