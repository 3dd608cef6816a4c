import type { MeterPrice } from '@bey/contract'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { approximately } from '../../../platform/decimal.ts'
import type { DemoPart, DemoScene } from '../../../platform/demo.ts'
import { monthOf, monthOfInstant, shiftMonth } from '../../../platform/usage/months.ts'
import { recordUsage } from '../../../platform/usage/record.ts'
import { measureBudget, openCurrentMonth } from '../budgets/measure.ts'
import { insertBudget } from '../budgets/store.ts'
import { lastClosedMs, saveMark } from '../meters/quarters.ts'
import { readTags } from '../meters/tags.ts'
import { examplePrices } from '../prices/example.ts'
import { insertVersion } from '../prices/store.ts'
import { clusterUsage } from './cluster-usage.ts'
import { accessUsage, attemptUsage, runUsage } from './other-usage.ts'

/** Events of one statement. */
const batch = 4_000
const timeZone = 'UTC'
const dayMs = 86_400_000

/**
 * The usage of a demo since the beginning of the month before, its prices and its budgets. The real meters go on where
 * the seeded usage ends.
 */
export const billingDemo: DemoPart = async (db, scene) => {
  const { organizationId, clusters, now, random } = scene
  const month = monthOfInstant(now.getTime(), timeZone)
  const { fromMs } = monthOf(shiftMonth(month, -1), timeZone)
  const toMs = lastClosedMs(now.getTime())
  await insertVersion(db, {
    organizationId,
    version: 1,
    currency: examplePrices.currency,
    prices: demoPrices,
    holdsFrom: new Date(fromMs),
    note: 'Seeded with the demo',
    createdBy: scene.owner.id,
  })
  const tagsOf = await readTags(db, organizationId)
  // As far back as the clusters of a demo have measurements.
  const usedFromMs = Math.floor((toMs - 14 * dayMs) / dayMs) * dayMs
  const times = { fromMs, toMs, random, usedFromMs }
  const events = [
    ...clusters.flatMap((cluster) => clusterUsage(cluster, organizationId, tagsOf, times)),
    ...(await runUsage(db, organizationId, tagsOf)),
    ...(await attemptUsage(db, organizationId)),
    ...(await accessUsage(db, scene, times)),
  ]
  for (let from = 0; from < events.length; from += batch)
    await recordUsage(db, organizationId, events.slice(from, from + batch))
  for (const { id, title: name } of clusters)
    await saveMark(db, organizationId, { type: 'cluster', id: String(id), name }, toMs, [])
  await addBudgets(db, scene)
}

/** A budget of the month of which four fifths are spent, and one of staging that would pause runs. */
async function addBudgets(db: Db, { organizationId, clusters, people, now }: DemoScene): Promise<void> {
  const current = await openCurrentMonth(db, organizationId, now)
  const staging = clusters.find(({ mood }) => mood === 'rollout')
  const { currency } = current.books
  const plans = [
    { name: 'All of Ostwind', scopeBy: 'all', scopeKey: '', action: 'notify', share: 0.79, reached: 50 },
    {
      name: 'Staging',
      scopeBy: 'cluster',
      scopeKey: String(staging?.id ?? ''),
      action: 'pause_new_runs',
      share: 0.4,
      reached: 0,
    },
  ] as const
  for (const { share, ...plan } of plans) {
    const measured = await measureBudget(current, { ...plan, currency })
    const spent = approximately(measured?.spent ?? 0n)
    await insertBudget(db, {
      ...plan,
      id: uuidv7(),
      organizationId,
      // A round amount, and never none: in the first hours of a month little is spent.
      amount: String(Math.max(10, Math.ceil(spent / share / 10) * 10)),
      currency,
      state: 'ok',
      stateSince: now,
      month: current.name,
      checkAt: now,
      createdBy: people.kaya.id,
    })
  }
}

const node = (nodeType: string, region: string | null, price: string): MeterPrice => ({
  meter: 'node_hours',
  provider: null,
  region,
  nodeType,
  per: 1,
  tiers: [{ upTo: null, price }],
})

/** Prices of nodes by their type, dearer in one region; everything else as in the example. */
const demoPrices: MeterPrice[] = [
  ...examplePrices.prices.filter(({ meter }) => meter !== 'node_hours'),
  node('8x32', null, '0.20'),
  node('8x32', 'us-east', '0.22'),
  node('8x16', null, '0.15'),
  node('2x4', null, '0.04'),
]
