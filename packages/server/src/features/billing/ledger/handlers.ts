import { usageMeters } from '@bey/contract/billing/usage-meters'
import type { LedgerEvent } from '@bey/contract'

import type { Handlers } from '../../../platform/http/handlers.ts'
import { AppError } from '../../../platform/errors.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthOf, monthOfInstant } from '../../../platform/usage/months.ts'
import type { BillingParts } from '../parts.ts'
import { proveMonth } from '../costs/prove.ts'
import { scopeOf } from '../spend/scope.ts'
import { type EventRow, listEvents, listLabelKeys } from './store.ts'

type Names = 'billing.ledger' | 'billing.labels' | 'billing.proof'

export function ledgerHandlers({ database, clock }: BillingParts): Handlers<Names> {
  return {
    'billing.ledger': ({ caller, query: { month: asked, day, cursor, limit, ...filters } }) =>
      database.readTenant(caller.organizationId, async (db) => {
        const { timeZone } = await readBooks(db, caller.organizationId)
        const name = asked ?? day?.slice(0, 7) ?? monthOfInstant(clock.now().getTime(), timeZone)
        const month = monthOf(name, timeZone)
        const index = day === undefined ? -1 : month.days.findIndex(({ date }) => date === day)
        if (day !== undefined && index === -1) {
          throw new AppError('invalid_request', `${day} is no day of ${name}. Name a day of that month.`)
        }
        const [atMs, seq] = cursor?.split('-') ?? []
        const rows = await listEvents(db, caller.organizationId, {
          fromMs: index === -1 ? month.fromMs : (month.days[index]?.fromMs ?? month.fromMs),
          toMs: index === -1 ? month.toMs : (month.days[index + 1]?.fromMs ?? month.toMs),
          filters: scopeOf(caller, filters).filters,
          before: atMs === undefined || seq === undefined ? undefined : { atMs: Number(atMs), seq },
          limit: limit + 1,
        })
        const last = rows.length > limit ? rows[limit - 1] : undefined
        return {
          events: rows.slice(0, limit).map(presentEvent),
          nextCursor: last ? `${Math.round(last.atMs)}-${last.seq}` : null,
        }
      }),

    'billing.labels': ({ caller, query }) =>
      database.readTenant(caller.organizationId, async (db) => {
        const { timeZone } = await readBooks(db, caller.organizationId)
        const month = monthOf(query.month ?? monthOfInstant(clock.now().getTime(), timeZone), timeZone)
        const { scope } = scopeOf(caller, {})
        const days = month.days.map(({ date }) => date)
        const ownerId = scope === 'all' ? undefined : caller.user.id
        return { keys: await listLabelKeys(db, caller.organizationId, ownerId, days) }
      }),

    'billing.proof': ({ caller, query }) =>
      database.readSnapshot(caller.organizationId, async (db) => {
        const { timeZone } = await readBooks(db, caller.organizationId)
        const name = query.month ?? monthOfInstant(clock.now().getTime(), timeZone)
        const proof = await proveMonth(db, caller.organizationId, name)
        return { ...proof, differences: proof.differences.slice(0, 20) }
      }),
  }
}

function presentEvent({ atMs, recordedAtMs, ...row }: EventRow): LedgerEvent {
  const { service, unit } = usageMeters[row.meter]
  return {
    ...row,
    service,
    unit,
    at: new Date(atMs).toISOString(),
    recordedAt: new Date(recordedAtMs).toISOString(),
  }
}
