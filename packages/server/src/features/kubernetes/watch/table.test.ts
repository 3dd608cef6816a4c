import { expect, test } from 'vitest'
import { pageOf } from '../reads/page.ts'
import { podEntry, type PodEntry } from './entries.ts'
import { byText, createTable } from './table.ts'

const pod = (index: number): PodEntry => ({
  ...podEntry({ metadata: { name: `pod-${index}`, namespace: `ns-${index % 7}`, uid: String(index) } }),
  restarts: (index * 7919) % 100,
})

test('each order stays right through any changes', () => {
  const table = createTable<PodEntry>()
  let seed = 1
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below
  const byRestarts = (a: PodEntry, b: PodEntry) => a.restarts - b.restarts
  const byName = (a: PodEntry, b: PodEntry) => byText(a.name, b.name)
  table.sorted('restarts', byRestarts)
  for (let step = 0; step < 2000; step++) {
    const entry = { ...pod(random(300)), restarts: random(20) }
    if (random(3) === 0) table.remove(entry)
    else table.upsert(entry)
  }
  const expected = (compare: (a: PodEntry, b: PodEntry) => number) =>
    [...table.values()].sort(
      (a, b) => compare(a, b) || byText(a.namespace, b.namespace) || byText(a.name, b.name),
    )
  expect(table.sorted('restarts', byRestarts)).toEqual(expected(byRestarts))
  expect(table.sorted('name', byName)).toEqual(expected(byName))
  expect(table.sorted('name', byName)).toHaveLength(table.size())
})

test('a page of 10,000 pods is not sorted anew while they change', () => {
  const table = createTable<PodEntry>()
  table.replaceAll(Array.from({ length: 10_000 }, (_, index) => pod(index)))
  let comparisons = 0
  const compare = (a: PodEntry, b: PodEntry) => {
    comparisons += 1
    return a.restarts - b.restarts
  }
  table.sorted('restarts', compare)
  comparisons = 0
  const rounds = 20
  for (let round = 0; round < rounds; round++) {
    table.upsert({ ...pod(round), restarts: 1000 + round })
    const page = pageOf(table.sorted('restarts', compare), { page: 100, limit: 50 }, ({ name }) =>
      name.includes('9'),
    )
    expect(page.total).toBe(3439)
  }
  // Two binary searches each: out of the old place and into the new one.
  expect(comparisons / rounds).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(10_000)))
})

test('pages are cut in either direction, with an exact total', () => {
  const rows = [1, 2, 3, 4, 5, 6, 7]
  const isOdd = (row: number) => row % 2 === 1
  expect(pageOf(rows, { page: 1, limit: 3 }, isOdd)).toEqual({ rows: [1, 3, 5], total: 4 })
  expect(pageOf(rows, { page: 2, limit: 3 }, isOdd)).toEqual({ rows: [7], total: 4 })
  expect(pageOf(rows, { page: 1, limit: 3, order: 'desc' }, isOdd)).toEqual({ rows: [7, 5, 3], total: 4 })
  expect(pageOf(rows, { page: 9, limit: 3 }, isOdd)).toEqual({ rows: [], total: 4 })
})
