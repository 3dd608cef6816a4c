import type { Health } from '@bey/contract'
import { healthStates } from '@bey/contract'
import { oneOf } from '../../lib/list-location.ts'
import { healthHeading } from './workload-columns.tsx'

/** Rows under one heading for each state of health, while they are sorted by it with the worst first. */
export function byHealth({ sort, order }: { sort?: string | undefined; order?: string | undefined }) {
  if (sort !== 'health' || order === 'desc') return {}
  return {
    groupOf: (row: { health: Pick<Health, 'state'> }) => row.health.state,
    groupHeading: (state: string) => healthHeading(oneOf(healthStates, state) ?? 'unknown', undefined),
  }
}
