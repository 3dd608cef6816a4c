import { usageMeters } from '@bey/contract/usage-meters'
import type { LedgerEvent } from '@bey/contract'

import type { Handlers } from '../../../platform/http/handlers.ts'
import { AppError } from '../../../platform/errors.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthName, monthOf, monthOfInstant } from '../../../platform/usage/months.ts'
import type { BillingParts } from '../parts.ts'
import { scopeOf } from '../spend/scope.ts'
import { compareSums, type EventRow, listEvents, listLabelKeys } from './store.ts'

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
      database.readTenant(caller.organizationId, async (db) => {
        const { timeZone } = await readBooks(db, caller.organizationId)
        const name = query.month ?? monthOfInstant(clock.now().getTime(), timeZone)
        const month = monthOf(name, timeZone)
        const { eventCount, differences } = await compareSums(db, caller.organizationId, {
          ...month,
          days: month.days.map(({ date }) => date),
          timeZone,
        })
        const isEqual = differences.length === 0
        const text = isEqual
          ? `The sums of ${monthName(name)} equal its ${eventCount.toLocaleString('en-US')} events.`
          : `The sums of ${differences.length} meters differ from their events. Statements of ${monthName(name)} should wait until this is mended.`
        return { isEqual, text, eventCount, differences: differences.slice(0, 20) }
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
