import type { DashboardLayout } from '@bey/contract'
import { dashboardCards, defaultCards } from '@bey/contract/analytics/dashboard-cards'
import { act } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import { deleteLayout, readLayouts, writeLayout } from './layout-store.ts'

type Names =
  | 'analytics.layout'
  | 'analytics.setLayout'
  | 'analytics.resetLayout'
  | 'analytics.shareLayout'
  | 'analytics.unshareLayout'

type LayoutParts = { database: Pick<Database, 'withTenant' | 'readTenant'>; clock: Clock }

/** The arrangement that a member sees: their own, else the shared one, else the one that Bey comes with. */
export async function layoutOf(db: Db, organizationId: number, userId: number): Promise<DashboardLayout> {
  const rows = await readLayouts(db, organizationId, userId)
  const [first] = rows
  const shared = rows.find((row) => row.userId === null)
  return {
    // A card of a newer version that was gone back from is left out.
    cards: [...(first?.cards ?? defaultCards)].filter(({ card }) => dashboardCards.includes(card)),
    source: !first ? 'default' : first.userId === null ? 'organization' : 'own',
    shared: shared ? { by: shared.by, at: shared.at.toISOString() } : null,
  }
}

/** Arrangements of the dashboard. A member's own is no act of the organization; the shared one is audited. */
export function layoutHandlers({ database, clock }: LayoutParts): Handlers<Names> {
  const change = (caller: TenantCaller, work: (db: Db) => Promise<void>): Promise<DashboardLayout> =>
    database.withTenant(caller.organizationId, async (db) => {
      await work(db)
      return layoutOf(db, caller.organizationId, caller.user.id)
    })
  const owned = ({ organizationId, user }: TenantCaller, userId: number | null) => ({
    organizationId,
    userId,
    updatedBy: user.id,
    at: clock.now(),
  })
  return {
    'analytics.layout': ({ caller }) =>
      database.readTenant(caller.organizationId, (db) => layoutOf(db, caller.organizationId, caller.user.id)),
    'analytics.setLayout': ({ caller, body }) =>
      change(caller, (db) => writeLayout(db, owned(caller, caller.user.id), body.cards)),
    'analytics.resetLayout': ({ caller }) =>
      change(caller, async (db) => {
        await deleteLayout(db, caller.organizationId, caller.user.id)
      }),
    'analytics.shareLayout': ({ caller, body }) =>
      change(caller, async (db) => {
        await writeLayout(db, owned(caller, null), body.cards)
        await act(db, caller, {
          action: 'dashboard.share',
          class: 'update',
          diff: { cards: body.cards.map(({ card, width }) => `${card} ${width}`) },
        })
      }),
    'analytics.unshareLayout': ({ caller }) =>
      change(caller, async (db) => {
        if (!(await deleteLayout(db, caller.organizationId, null))) return
        await act(db, caller, { action: 'dashboard.unshare', class: 'update' })
      }),
  }
}
