import type { HandlerOutput } from '@bey/contract'
import { billingBounds } from '@bey/contract/billing/usage-meters'

import type { Member } from '../../../platform/act.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthOfInstant } from '../../../platform/usage/months.ts'
import { decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import { readMeteredClusters, readMeteredDatabases } from '../meters/metered.ts'
import { readTags } from '../meters/tags.ts'
import type { BillingParts } from '../parts.ts'
import { openMonth } from '../spend/read-month.ts'
import { scopeOf } from '../spend/scope.ts'
import { clusterSavings } from './clusters.ts'
import { databaseSavings } from './databases.ts'
import { isUnmeasured, presentApplied } from './applied-state.ts'
import { listApplied } from './applied-store.ts'
import { type Found, type FoundSaving, hourMs, type SavingFacts } from './facts.ts'

const maxSavings = 100

/** What could be saved a month, the dearest first. */
export async function readSavings(
  { database, clock, metrics }: Pick<BillingParts, 'database' | 'clock' | 'metrics'>,
  caller: Pick<Member, 'organizationId' | 'role' | 'user'>,
): Promise<Omit<HandlerOutput<'savings.list'>, 'savings'> & { savings: FoundSaving[] }> {
  const now = clock.now()
  const { organizationId } = caller
  const { scope, scopeText } = scopeOf(caller, {})
  const toMs = Math.floor(now.getTime() / hourMs) * hourMs
  // Measurements are read afterwards, on connections of their own.
  const { facts, currency, clusters, databases, applied } = await database.readTenant(
    organizationId,
    async (db) => {
      const books = await readBooks(db, organizationId)
      const month = await openMonth(db, organizationId, monthOfInstant(now.getTime(), books.timeZone), books)
      const tagsOf = await readTags(db, organizationId)
      const range = { fromMs: toMs - billingBounds.savingsDays * 24 * hourMs, toMs }
      return {
        facts: { caller, isOwnOnly: scope === 'own', tagsOf, month, ...range } satisfies SavingFacts,
        currency: month.spans.at(-1)?.currency ?? month.currency,
        clusters: await readMeteredClusters(db, organizationId),
        databases: await readMeteredDatabases(db, organizationId),
        applied: await listApplied(db, organizationId),
      }
    },
  )
  const found: Found[] = []
  for (const cluster of clusters) found.push(await clusterSavings({ database, metrics }, facts, cluster))
  for (const each of databases) found.push(await databaseSavings(metrics, facts, each))
  // Nodes that were just removed are still in the measurements of the last full hour.
  const isStale = (saving: FoundSaving) =>
    applied.some((row) => row.savingId === saving.id && isUnmeasured(row, now.getTime(), toMs))
  const stale = found.flatMap((each) => each.savings).filter(isStale)
  const savings = found
    .flatMap((each) => each.savings)
    .filter((saving) => !isStale(saving))
    .toSorted((a, b) => Number(b.amount) - Number(a.amount) || a.id.localeCompare(b.id))
    .slice(0, maxSavings)
  const direct = savings.filter(({ isDirect }) => isDirect)
  return {
    asOf: now.toISOString(),
    currency,
    scope,
    scopeText,
    total: decimalText(sumOf(direct.map(({ amount }) => decimalOf(amount))), 2),
    savings,
    notJudged: [
      ...stale.map(
        ({ resourceName }) =>
          `${resourceName}: a saving was just applied; it is judged again once a full hour was measured since.`,
      ),
      ...found.flatMap((each) => each.notJudged),
    ].slice(0, 50),
    applied: applied
      .filter(({ byId }) => scope === 'all' || byId === caller.user.id)
      .map((row) => presentApplied(row, now.getTime())),
  }
}
