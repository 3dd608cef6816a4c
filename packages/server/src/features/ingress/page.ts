import { type HealthState, healthStates } from '@bey/contract'

type Query = {
  page: number
  limit: number
  order?: 'asc' | 'desc' | undefined
  health?: HealthState | undefined
}
type Row = { health: { state: HealthState } }

/** One page of rows that are in order, of the health that is asked for. */
export function pageOf<T extends Row>(all: readonly T[], { page, limit, order, health }: Query) {
  const wanted = health === undefined ? all : all.filter((each) => each.health.state === health)
  const ordered = order === 'desc' ? wanted.toReversed() : wanted
  return { rows: ordered.slice((page - 1) * limit, page * limit), total: wanted.length, page, limit }
}

/** How many are in each state. */
export function countStates(rows: readonly Row[]): Record<HealthState, number> {
  const counts = Object.fromEntries(healthStates.map((state) => [state, 0])) as Record<HealthState, number>
  for (const { health } of rows) counts[health.state] += 1
  return counts
}
