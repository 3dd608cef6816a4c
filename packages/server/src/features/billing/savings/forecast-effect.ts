import type { Db } from '../../../platform/db/database.ts'
import type { Filters } from '../spend/dimensions.ts'
import type { SavingStep } from '../spend/forecast.ts'
import { stateOf } from './applied-state.ts'
import { listApplied } from './applied-store.ts'
import { hoursOfMonth } from './facts.ts'

/**
 * Applied savings that lower the cost of what matches the filters, each since when. Only savings of nodes are on the bill
 * at once; what they do to namespaces and owners depends on how the cost is split, and shows in measurements alone.
 */
export async function savingSteps(
  db: Db,
  organizationId: number,
  filters: Filters,
  of: { currency: string; nowMs: number },
): Promise<SavingStep[]> {
  const rows = await listApplied(db, organizationId)
  return rows.flatMap((row) => {
    const { state, fromMs } = stateOf(row, of.nowMs)
    const isHeld = (state === 'applied' || state === 'undoing') && fromMs !== null
    if (!isHeld || !row.isDirect || row.currency !== of.currency) return []
    return concerns(filters, row.clusterId)
      ? [{ atMs: fromMs, perDay: perDayOf(row.amount), text: row.text }]
      : []
  })
}

/** What an amount a month is a day. */
export const perDayOf = (amount: string): number => (Number(amount) / hoursOfMonth) * 24

function concerns(filters: Filters, clusterId: number): boolean {
  return Object.entries(filters).every(([name, value]) => {
    if (value === undefined) return true
    if (name === 'service') return value === 'kubernetes'
    if (name === 'meter') return value === 'node_hours'
    return name === 'cluster' && value === String(clusterId)
  })
}
