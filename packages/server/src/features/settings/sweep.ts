import { defaultTheme, defaultTimeFormat } from '@bey/contract'
import type { SweepCalls } from '../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
  'settings.updateTheme': { call: () => ({ body: { theme: defaultTheme } }) },
  'settings.updateTime': { call: () => ({ body: { time: defaultTimeFormat } }) },
}
