import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'
import { eq } from 'drizzle-orm'
import { budgets } from '../../tables/budgets.ts'
import { statements } from '../../tables/statements.ts'
import { examplePrices } from './prices/example.ts'

const hourMs = 3_600_000
/** Each version holds from a later hour than the one before. */
let hours = 24

const nextHour = () => new Date((Math.floor(Date.now() / hourMs) + ++hours) * hourMs).toISOString()

const newBudget = () => ({
  name: newName(),
  amount: '7200',
  currency: 'EUR',
  scope: { by: 'all', key: '' },
  action: 'notify',
})

async function budgetOf(world: World): Promise<SweepCall> {
  const { body } = await asOwner(world, 'POST', '/api/billing/budgets', newBudget())
  return { params: { id: body.id } }
}

export const sweepCalls: SweepCalls = {
  'budgets.create': { call: () => ({ body: newBudget() }) },
  'budgets.update': {
    call: async (world) => ({ ...(await budgetOf(world)), body: { amount: '8000', version: 1 } }),
  },
  'budgets.delete': { call: budgetOf },
  'budgets.lift': { call: pausedBudget },
  'statements.get': { call: statementOf },
  'statements.download': { call: statementOf },
  'billing.spend': {
    besideRows: ['days', 'lastMonthDays', 'clusters', 'anomalies', 'gaps'],
    call: () => ({}),
  },
  'billing.updateSettings': { call: () => ({ body: { sharedCost: 'use' } }) },
  'prices.create': {
    call: () => ({ body: { ...examplePrices, holdsFrom: nextHour() } }),
  },
  'prices.preview': { call: () => ({ body: examplePrices }) },
}

/** Whoever lifts a pause needs a budget that pauses, or soon will. */
async function pausedBudget(world: World): Promise<SweepCall> {
  const made = await budgetOf(world)
  await world.app.database.withTenant(world.organizationId, (db) =>
    db
      .update(budgets)
      .set({ state: 'grace' })
      .where(eq(budgets.id, String(made.params?.['id']))),
  )
  return made
}

let frozen = 0

async function statementOf({ app, organizationId }: World): Promise<SweepCall> {
  const number = 900_000 + ++frozen
  const at = new Date('2024-01-01T02:00:00Z')
  await app.database.withTenant(organizationId, (db) =>
    db.insert(statements).values({
      organizationId,
      number,
      month: `20${String(10 + Math.floor(frozen / 12))}-${String((frozen % 12) + 1).padStart(2, '0')}`,
      fromAt: at,
      toAt: at,
      timeZone: 'UTC',
      currency: 'EUR',
      priceVersions: [0],
      isSeeded: false,
      frozenAt: at,
    }),
  )
  return { params: { number } }
}
