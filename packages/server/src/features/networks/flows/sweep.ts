import { onRunning, type SweepCalls } from '../../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
  'networks.flows.map': { ...onRunning, besideRows: ['nodes', 'edges'] },
}
