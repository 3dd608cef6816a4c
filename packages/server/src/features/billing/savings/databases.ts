import { entities } from '@bey/contract'
import { databaseMetrics } from '@bey/contract/metrics/names'
import { entityResourceId } from '@bey/contract/resources/kinds'
import { billingBounds } from '@bey/contract/billing/usage-meters'

import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { MeteredDatabase } from '../meters/databases.ts'
import {
  daysText,
  type Found,
  hourMs,
  isOwn,
  maxOf,
  measuredTime,
  measuredValues,
  perMonth,
  priceNow,
  type SavingFacts,
} from './facts.ts'

/** Bey itself asks a database about once in two seconds; more is somebody else's. */
const maxOwnTransactions = 2

/** A database to which nothing was written, and that was hardly asked, as long as it is known. */
export async function databaseSavings(
  metrics: Pick<Metrics, 'read'>,
  facts: SavingFacts,
  of: MeteredDatabase,
): Promise<Found> {
  const { id, name, organizationId, provider } = of
  if (!isOwn(facts, facts.tagsOf(entityResourceId('database', id)))) return { savings: [], notJudged: [] }
  const entity = { type: 'database', id }
  const [written, transactions, size] = await metrics.read(
    organizationId,
    [databaseMetrics.rowsWritten, databaseMetrics.transactions, databaseMetrics.size].map((metric) => ({
      entity,
      metric,
    })),
    { fromMs: facts.fromMs, toMs: facts.toMs, stepMs: hourMs },
  )
  const measured = measuredTime(written?.maxima ?? [], facts.fromMs)
  if (measured === undefined) {
    const text = `${name} was measured for ${daysText(written?.maxima ?? [])} days; ${billingBounds.savingsMinDays} are needed.`
    return { savings: [], notJudged: [text] }
  }
  // MySQL and MariaDB count statements in place of transactions: whether they were asked is not known by this.
  if (measuredValues(transactions?.maxima ?? []).length === 0) return { savings: [], notJudged: [] }
  const perSecond = maxOf(measuredValues(transactions?.maxima ?? []))
  if (maxOf(measuredValues(written?.maxima ?? [])) > 0 || perSecond > maxOwnTransactions) {
    return { savings: [], notJudged: [] }
  }
  const gb = (measuredValues(size?.averages ?? []).at(-1) ?? 0) / 1e9
  const days = Math.floor(measured.days)
  return {
    notJudged: [],
    savings: [
      {
        id: `idle-database/${id}`,
        kind: 'idle_database',
        title: `${name}, nothing written for ${days} days`,
        detail: of.cluster === null ? 'database' : `database, ${of.cluster.name}`,
        clusterId: of.cluster?.id ?? null,
        resourceName: name,
        amount: perMonth(
          priceNow(facts, { meter: 'database_gb_hours', provider, region: null, nodeType: null }),
          gb,
        ),
        isDirect: true,
        evidence: [
          { name: 'Rows written', value: `0 in ${days} days` },
          { name: 'Transactions at most', value: `${perSecond.toFixed(2)} a second, those of Bey included` },
          { name: 'Size', value: `${gb.toFixed(2)} GB` },
        ],
        measured,
        change: {
          text: `Back up ${name}, keep the backup, and delete the database.`,
          yaml: null,
          path: entities.database.paths.detail.replace('{id}', id),
          refusal: 'A person confirms the deletion of a database on its page.',
        },
        plan: null,
      },
    ],
  }
}
