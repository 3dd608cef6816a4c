import { expect, test } from 'vitest'
import { commands } from '../../app/commands.ts'
import { entityItem } from './entity-items.ts'
import { objectItem } from './object-items.ts'
import { foundRows, restingRows } from './results.ts'
import type { Row } from './results.ts'
import { pagesOf, staticItems } from './static-items.ts'
import { router } from '../../app/router.tsx'
import { offsetsOf, spanOf } from './list-window.ts'
import { quickSelectIndex, stepOf } from './palette-keys.ts'

const pages = pagesOf(Object.values(router.routesById))
const statics = staticItems(pages, commands)
const clusters = Array.from({ length: 7 }, (_, at) =>
  entityItem({
    id: String(at),
    type: 'cluster',
    title: `prod-${at}`,
    subtitle: '',
    status: 'RUNNING',
    createdAt: '2026-11-01T00:00:00Z',
    isReadOnly: false,
    lastUsedAt: null,
    health: null,
  }),
)
const labels = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'group' ? [row.label] : []))

test('groups stand in the specified order', () => {
  const others = (['network', 'database', 'secret', 'workflow'] as const).map((type) =>
    entityItem({
      id: type,
      type,
      title: `a ${type}`,
      subtitle: '',
      status: 'active',
      createdAt: '2026-11-01T00:00:00Z',
      isReadOnly: false,
      lastUsedAt: null,
      health: null,
    }),
  )
  const rows = restingRows([...others, ...statics, ...clusters], statics.slice(0, 1), statics.slice(1, 2))
  expect(labels(rows)).toEqual([
    'Suggested for you',
    'Recent',
    'Navigation',
    'Clusters',
    'Workflows',
    'Secrets',
    'Databases',
    'Networks',
    'Quick Actions',
    'Settings',
    'Theme',
    'User',
  ])
})

test('before anything is typed the five newest of a kind represent all, and their number is said', () => {
  const rows = restingRows(clusters, [], [])
  expect(rows.filter((row) => row.kind === 'option')).toHaveLength(5)
  expect(rows[0]).toMatchObject({ label: 'Clusters', count: 7 })
})

test('typo matches stand last, each once, and nothing above them moves', () => {
  const quick = clusters.slice(0, 2)
  const before = foundRows(quick, [])
  const after = foundRows(
    quick,
    [clusters[1], clusters[5]].filter((item) => item !== undefined),
  )
  expect(after.slice(0, before.length)).toEqual(before)
  expect(labels(after)).toEqual(['Clusters', 'Similar names'])
  expect(after).toHaveLength(before.length + 2)
})

test('where nothing else was found, typo matches stand in their own groups', () => {
  expect(labels(foundRows([], clusters))).toEqual(['Clusters'])
})

test('every page without parameters and every command is listed once', () => {
  const ids = statics.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain('route:/')
  expect(ids).toContain('route:/workspaces/settings/appearance')
  expect(ids).toContain('action:create-cluster')
  expect(ids).not.toContain('route:/kubernetes/clusters/create')
  expect(ids.filter((id) => id.includes('$') || id.includes('login'))).toEqual([])
})

test('a page keeps the keys of the command that leads to it', () => {
  const home = statics.find(({ id }) => id === 'route:/')
  expect(home?.shortcuts).toEqual([['Mod+H'], ['g', 'h']])
})

test('of 10,000 rows only those in sight are drawn', () => {
  const offsets = offsetsOf(Array.from({ length: 10_000 }, () => 36))
  expect(spanOf(offsets, 3600, 3900)).toEqual({ first: 100, end: 109 })
  expect(spanOf(offsets, -240, 540)).toEqual({ first: 0, end: 16 })
  expect(spanOf([0], -240, 540)).toEqual({ first: 0, end: 0 })
})

test('⌘, Ctrl or Alt with 1–9 choose; other keys and both at once do not', () => {
  const press = (
    code: string,
    held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>>,
  ) => quickSelectIndex({ code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })
  expect(press('Digit1', { ctrlKey: true })).toBe(0)
  expect(press('Digit9', { metaKey: true })).toBe(8)
  expect(press('Digit3', { altKey: true })).toBe(2)
  expect(press('Digit3', {})).toBeUndefined()
  expect(press('Digit0', { ctrlKey: true })).toBeUndefined()
  expect(press('Digit1', { ctrlKey: true, altKey: true })).toBeUndefined()
  expect([stepOf('ArrowDown'), stepOf('PageUp'), stepOf('a')]).toEqual([1, -8, undefined])
})

test('objects of clusters come last of what a query found', () => {
  const object = objectItem({
    clusterId: 4,
    cluster: 'prod-eu-1',
    resource: 'deployments.apps',
    kind: 'Deployment',
    namespace: 'shop',
    name: 'prod-checkout',
    health: null,
  })
  const [first, second] = clusters
  if (!first || !second) throw new Error('there are seven')
  expect(labels(foundRows([first], [second], [object]))).toEqual([
    'Clusters',
    'Similar names',
    'Kubernetes objects',
  ])
  expect(labels(foundRows([], [], [object]))).toEqual(['Kubernetes objects'])
  expect(object.path).toBe('/kubernetes/clusters/4/objects/deployments.apps/shop/prod-checkout')
})
