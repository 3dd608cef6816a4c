import type { HealthState } from '@bey/contract'

/** What rows of one state of health are called together. */
export const healthGroupWords: Readonly<Record<HealthState, string>> = {
  failing: 'Failing',
  degraded: 'Degraded',
  starting: 'Under way',
  unknown: 'Unknown',
  healthy: 'Healthy',
}
