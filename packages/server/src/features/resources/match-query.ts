import type { Role } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { InventoryGap, Resource } from '../../platform/inventory.ts'
import type { ReadInventory } from './inventory.ts'
import { matchesOf, termsOf } from './search.ts'

type Matches = { resources: readonly Resource[]; gaps: readonly InventoryGap[] }

/** Matches of queries that are asked at the same time, over one reading of the inventory. */
export type MatchQueries = (of: {
  organizationId: number
  role: Role
  /** Who reads; what is listed to its owner alone is not listed without. */
  userId?: number
}) => (query: string, userId: number) => Promise<Matches>

/** For alerts: `userId` is who "me" is in a query. Throws AppError `invalid_request` for a query that cannot be read. */
export function matchQueries(read: ReadInventory, clock: Clock): MatchQueries {
  return ({ organizationId, role, userId: reader = 0 }) => {
    let reading: ReturnType<ReadInventory> | undefined
    return async (query, userId) => {
      const terms = termsOf(query)
      reading ??= read({ organizationId, userId: reader, role })
      const inventory = await reading
      return {
        resources: matchesOf(inventory, terms, { userId, now: clock.now() }),
        gaps: inventory.gaps,
      }
    }
  }
}
