import { healthOfNetwork, networkMoves, type NetworkStatus, networkStatuses } from '@bey/contract'
import { expect, test } from 'vitest'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { IllegalMove, walkMoves } from '../../platform/moves.ts'
import { networks } from '../../tables/networks.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { listNetworks, summarize } from './list.ts'
import { moveNetwork } from './store.ts'

const database = await testDatabase()
const given = createGiven(database)

type Given = Partial<Omit<typeof networks.$inferInsert, 'status'>> & { status: NetworkStatus }

/** One network for each of `values`, named n-0, n-1 … */
async function networksWith(values: Given[]) {
  const { organizationId } = await given.user()
  const rows = values.map((each, index) => ({
    id: uuidv7(),
    organizationId,
    name: `n-${index}`,
    cidr: `10.${index}.0.0/16`,
    ...each,
  }))
  await database.withTenant(organizationId, (db) => db.insert(networks).values(rows))
  return { organizationId, ids: rows.map(({ id }) => id) }
}

test('every pair of statuses is a legal move or is refused', () => {
  for (const from of networkStatuses) {
    for (const to of networkStatuses) {
      const move = () => walkMoves('network', networkMoves, from, [to])
      if (networkMoves[from].includes(to)) expect(move()).toBe(to)
      else expect(move, `${from} ${to}`).toThrow(IllegalMove)
    }
  }
  expect(networkMoves.deleted).toEqual([])
})

test('a network that moved on is left alone, and so is one of a newer run', async () => {
  const { organizationId, ids } = await networksWith([{ status: 'updating', lastRunId: uuidv7() }])
  const subject = { organizationId, id: ids[0] ?? '' }
  const move = (from: 'updating' | 'creating', runId?: string) =>
    database.withTenant(organizationId, (db) =>
      moveNetwork(db, { ...subject, ...(runId && { runId }) }, [from], 'active', {}, new Date()),
    )
  expect(await move('creating')).toBe(false)
  expect(await move('updating', uuidv7())).toBe(false)
  expect(await move('updating')).toBe(true)
})

test('the list filters by the health that its rows show, whatever their status', async () => {
  const { organizationId } = await networksWith(networkStatuses.map((status) => ({ status })))
  for (const health of ['failing', 'degraded', 'unknown', 'starting', 'healthy'] as const) {
    const { rows } = await database.readTenant(organizationId, (db) =>
      listNetworks(db, organizationId, { health, sort: 'name', page: 1, limit: 200 }),
    )
    const expected = networkStatuses.flatMap((status, index) => {
      const shown = { status, reason: null, statusSince: new Date().toISOString() }
      return healthOfNetwork(shown).state === health ? [`n-${index}`] : []
    })
    expect(rows.map(({ name }) => name).toSorted(), health).toEqual(expected.toSorted())
  }
})

test('the summary counts every network, and names the one that has failed longest', async () => {
  const since = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const { organizationId } = await networksWith([
    { status: 'degraded', statusSince: since(0), reason: 'Drift.' },
    { status: 'error', statusSince: since(9), reason: 'Later.' },
    { status: 'error', statusSince: since(5), reason: 'First.' },
    { status: 'active' },
    { status: 'updating' },
    { status: 'deleted', deletedAt: since(1) },
  ])
  const summary = await database.readTenant(organizationId, (db) => summarize(db, organizationId))
  expect(summary).toEqual({
    total: 5,
    attention: 3,
    underWay: 1,
    first: { name: 'n-2', reason: 'First.' },
  })
  const { organizationId: empty } = await given.user()
  expect(await database.readTenant(empty, (db) => summarize(db, empty))).toEqual({
    total: 0,
    attention: 0,
    underWay: 0,
    first: null,
  })
})
