import type { PriceVersion } from '@bey/contract'
import { billingBounds } from '@bey/contract/billing/usage-meters'
import { deniedReason, roleHas } from '@bey/contract'

import { act } from '../../../platform/act.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthName, monthOf, monthOfInstant, shiftMonth } from '../../../platform/usage/months.ts'
import type { BillingParts } from '../parts.ts'
import { examplePrices } from './example.ts'
import { previewPrices } from './preview.ts'
import { insertVersion, listVersions, nodeTypesSince, ownerNames, type PriceRow } from './store.ts'

type Names = 'prices.list' | 'prices.create' | 'prices.preview'

const hourMs = 3_600_000

export function priceHandlers({ database, clock }: BillingParts): Handlers<Names> {
  return {
    'prices.list': ({ caller }) =>
      database.readTenant(caller.organizationId, async (db) => {
        const { organizationId, role } = caller
        const nowMs = clock.now().getTime()
        const { timeZone } = await readBooks(db, organizationId)
        const versions = presentVersions(await listVersions(db, organizationId), nowMs)
        const since = `${shiftMonth(monthOfInstant(nowMs, timeZone), -1)}-01`
        return {
          versions,
          currency: versions.find(({ holdsNow }) => holdsNow)?.currency ?? examplePrices.currency,
          timeZone,
          deniedText: roleHas(role, 'billing.manage')
            ? null
            : deniedText(await ownerNames(db, organizationId)) ||
              (deniedReason(role, 'billing.manage') ?? null),
          nodeTypes: roleHas(role, 'billing.readAll') ? await nodeTypesSince(db, organizationId, since) : [],
        }
      }),

    'prices.create': ({ caller, body: { holdsFrom: wanted, currency, prices, note } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId, user } = caller
        await lockUntilCommit(db, 'priceVersions', organizationId)
        const nowMs = clock.now().getTime()
        const nextHourMs = (Math.floor(nowMs / hourMs) + 1) * hourMs
        const fromMs = wanted === undefined ? nextHourMs : Date.parse(wanted)
        if (fromMs % hourMs !== 0) {
          throw new AppError('conflict', 'Prices hold from a full hour. Choose a full hour of UTC.')
        }
        if (fromMs < nextHourMs) {
          throw new AppError(
            'conflict',
            `Prices cannot change what is used already. The earliest hour is ${new Date(nextHourMs).toISOString()}.`,
          )
        }
        const rows = await listVersions(db, organizationId)
        const [last] = rows
        if (rows.length >= billingBounds.maxVersions) {
          throw new AppError(
            'limit_reached',
            `An organization can have ${billingBounds.maxVersions} versions of prices.`,
          )
        }
        if (last && last.holdsFrom.getTime() >= fromMs) {
          throw new AppError(
            'conflict',
            `Version ${last.version} holds from ${last.holdsFrom.toISOString()}. Choose a later hour.`,
          )
        }
        if (last && last.currency !== currency) await requireMonthStart(fromMs)
        const version = (last?.version ?? 0) + 1
        await insertVersion(db, {
          organizationId,
          version,
          currency,
          prices,
          holdsFrom: new Date(fromMs),
          note,
          createdBy: user.id,
        })
        await act(db, caller, {
          action: 'prices.create',
          class: 'create',
          diff: { version: [last?.version ?? null, version], currency: [last?.currency ?? null, currency] },
        })
        const saved = presentVersions(await listVersions(db, organizationId), nowMs)[0]
        if (saved === undefined) throw new Error('The version that was saved is not there')
        return keepReply(db, saved)

        /** Amounts of two currencies cannot be added up. */
        async function requireMonthStart(ms: number): Promise<void> {
          const { timeZone } = await readBooks(db, organizationId)
          const name = monthOfInstant(ms, timeZone)
          if (monthOf(name, timeZone).fromMs === ms) return
          const next = shiftMonth(name, 1)
          throw new AppError(
            'conflict',
            `A month has one currency. Let the new currency hold from ${new Date(monthOf(next, timeZone).fromMs).toISOString()}, when ${monthName(next)} begins.`,
          )
        }
      }),

    'prices.preview': ({ caller, body }) =>
      database.readTenant(caller.organizationId, (db) =>
        previewPrices(db, clock, caller.organizationId, body),
      ),
  }
}

function deniedText(owners: readonly string[]): string {
  const [first, ...others] = owners
  if (first === undefined) return ''
  return `Prices are changed by owners. ${[first, ...others].join(' or ')} can.`
}

/** Versions with the time in which each holds, the newest first, and the example after them. */
function presentVersions(rows: readonly PriceRow[], nowMs: number): PriceVersion[] {
  const newest = rows.map((row, index): PriceVersion => {
    const untilMs = rows[index - 1]?.holdsFrom.getTime()
    return {
      version: row.version,
      currency: row.currency,
      prices: row.prices,
      holdsFrom: row.holdsFrom.toISOString(),
      holdsUntil: untilMs === undefined ? null : new Date(untilMs).toISOString(),
      isExample: false,
      holdsNow: row.holdsFrom.getTime() <= nowMs && (untilMs === undefined || nowMs < untilMs),
      note: row.note,
      createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
      createdAt: row.createdAt.toISOString(),
    }
  })
  const firstMs = rows.at(-1)?.holdsFrom.getTime()
  const example: PriceVersion = {
    version: 0,
    ...examplePrices,
    holdsFrom: null,
    holdsUntil: firstMs === undefined ? null : new Date(firstMs).toISOString(),
    isExample: true,
    holdsNow: firstMs === undefined || nowMs < firstMs,
    note: 'An example. It holds until an owner saves prices.',
    createdBy: null,
    createdAt: null,
  }
  return [...newest, example]
}
