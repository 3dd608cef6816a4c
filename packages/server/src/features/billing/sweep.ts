import type { SweepCalls } from '../../testing/sweep.ts'
import { examplePrices } from './prices/example.ts'

const hourMs = 3_600_000
/** Each version holds from a later hour than the one before. */
let hours = 24

const nextHour = () => new Date((Math.floor(Date.now() / hourMs) + ++hours) * hourMs).toISOString()

export const sweepCalls: SweepCalls = {
  'billing.updateSettings': { call: () => ({ body: { sharedCost: 'use' } }) },
  'prices.create': {
    call: () => ({ body: { ...examplePrices, holdsFrom: nextHour() } }),
  },
  'prices.preview': { call: () => ({ body: examplePrices }) },
}
