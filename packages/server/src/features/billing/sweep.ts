import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'
import { clusterMetrics } from '@bey/contract/metrics/names'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { shiftMonth } from '../../platform/usage/months.ts'
import { appliedSavings } from '../../tables/applied-savings.ts'
import { measureHours } from '../../testing/measure-hours.ts'
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
  'savings.apply': {
    call: async (world) => ({ body: { id: await spareNodeOf(world), isDryRun: true } }),
  },
  'savings.undo': { call: appliedSaving },
  'statements.close': { call: monthToClose },
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
/** One that is not evaluated while it is lifted: what is spent would end its grace. */
async function pausedBudget({ app, organizationId }: World): Promise<SweepCall> {
  const id = uuidv7()
  await app.database.withTenant(organizationId, (db) =>
    db.insert(budgets).values({
      id,
      organizationId,
      name: newName(),
      amount: '7200',
      currency: 'EUR',
      scopeBy: 'all',
      scopeKey: '',
      action: 'pause_new_runs',
      state: 'grace',
      stateSince: new Date(),
      month: new Date().toISOString().slice(0, 7),
      checkAt: new Date(Date.now() + 24 * hourMs),
    }),
  )
  return { params: { id } }
}

let frozen = 0

/** A statement of nothing. `month`: `2024-01`. */
const frozenStatement = (organizationId: number, number: number, month: string) => ({
  organizationId,
  number,
  month,
  fromAt: new Date('2024-01-01T02:00:00Z'),
  toAt: new Date('2024-01-01T02:00:00Z'),
  timeZone: 'UTC',
  currency: 'EUR',
  priceVersions: [0],
  isSeeded: false,
  frozenAt: new Date('2024-01-01T02:00:00Z'),
})

async function statementOf({ app, organizationId }: World): Promise<SweepCall> {
  const number = 900_000 + ++frozen
  const month = `20${String(10 + Math.floor(frozen / 12))}-${String((frozen % 12) + 1).padStart(2, '0')}`
  await app.database.withTenant(organizationId, (db) =>
    db.insert(statements).values(frozenStatement(organizationId, number, month)),
  )
  return { params: { number } }
}

const lastMonth = (by: number) => shiftMonth(new Date().toISOString().slice(0, 7), by)

/** All months but the last one are frozen: closing it makes one statement. */
async function monthToClose({ app, organizationId }: World): Promise<SweepCall> {
  await app.database.withTenant(organizationId, (db) =>
    db
      .insert(statements)
      .values(frozenStatement(organizationId, 950_000, lastMonth(-2)))
      .onConflictDoNothing(),
  )
  return { body: { month: lastMonth(-1) } }
}

/** Id of the saving of a cluster whose nodes have hardly anything to do. */
async function spareNodeOf(world: World): Promise<string> {
  const { runningClusterId: id } = world
  const { body: list } = await asOwner(world, 'GET', `/api/kubernetes/clusters/${id}/nodes`)
  // The largest is found, and the control plane is not.
  const names = (list.nodes as { name: string }[]).map(({ name }) => name)
  const cores = (name: string) => (name.includes('control-plane') ? 2 : 64)
  const node = (name: string) => ({ node: name })
  const web = { namespace: 'shop', kind: 'Deployment', workload: 'web' }
  await measureHours(world.app.database, world.organizationId, { type: 'cluster', id: String(id) }, [
    ...names.flatMap((name) => [
      { metric: clusterMetrics.cpuAllocatable, labels: node(name), value: cores(name) * 1_000 },
      { metric: clusterMetrics.memoryAllocatable, labels: node(name), value: 2 ** 38 },
    ]),
    { metric: clusterMetrics.cpuRequested, labels: web, value: 100 },
    { metric: clusterMetrics.cpuUsed, labels: web, value: 50 },
  ])
  const { body } = await asOwner(world, 'GET', '/api/billing/savings')
  const savings = body.savings as { id: string; kind: string; clusterId: number }[]
  return savings.find(({ kind, clusterId }) => kind === 'spare_node' && clusterId === id)?.id ?? ''
}

async function appliedSaving(world: World): Promise<SweepCall> {
  const { organizationId, runningClusterId: clusterId } = world
  const { body } = await asOwner(world, 'GET', `/api/kubernetes/clusters/${clusterId}`)
  const id = uuidv7()
  const now = new Date()
  await world.app.database.withTenant(organizationId, (db) =>
    db.insert(appliedSavings).values({
      id,
      organizationId,
      savingId: id,
      kind: 'spare_node',
      title: 'A node too many',
      text: 'A node was removed.',
      amount: '1',
      currency: 'EUR',
      isDirect: true,
      clusterId,
      change: { kind: 'node', node: 'gone', group: body.nodeGroups?.[0]?.name ?? '' },
      appliedAt: now,
      patchedAt: now,
    }),
  )
  return { params: { id } }
}
