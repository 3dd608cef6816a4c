import { objectResourceId, type Relation } from '@bey/contract'
import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/clock.ts'
import type { Resource } from '../../platform/inventory.ts'
import { boxEdges, boxesOf } from './boxes.ts'
import { matching, relationsAmong } from './filter.ts'
import { presentImpact } from './impact-of.ts'
import { presentPath, presentRelationsOf } from './resource-relations.ts'
import { snapshotReader } from './snapshot.ts'

const cluster = { id: 1, title: 'prod' }

function thing(kind: string, name: string, more: Partial<Resource> = {}): Resource {
  const namespace = more.namespace === undefined ? 'shop' : more.namespace
  const id = objectResourceId({ kind, clusterId: 1, namespace: namespace ?? '', name })
  return {
    id,
    kind,
    name,
    cluster,
    namespace,
    health: null,
    labels: {},
    createdAt: null,
    createdBy: null,
    href: `/${kind}/${name}`,
    ...more,
  } as Resource
}

const failing = { state: 'failing', reason: null, detail: null, since: null, object: null } as const
const shop = [
  thing('namespace', 'shop', { namespace: null }),
  thing('node', 'n1', { namespace: null }),
  thing('pod', 'web-1', { labels: { team: 'shop' }, health: failing }),
  thing('pod', 'web-2', { labels: { team: 'shop' } }),
  thing('deployment', 'web'),
  thing('service', 'web'),
  thing('ingress', 'shop.example'),
  thing('configmap', 'settings'),
  thing('k8s-secret', 'password'),
]
const id = (kind: string, name: string) => objectResourceId({ kind, clusterId: 1, namespace: 'shop', name })
const node = objectResourceId({ kind: 'node', clusterId: 1, namespace: '', name: 'n1' })

const relations: Relation[] = [
  ...['web-1', 'web-2'].flatMap((name): Relation[] => [
    { from: id('pod', name), to: node, verb: 'runs_on' },
    { from: id('pod', name), to: id('deployment', 'web'), verb: 'owned_by' },
    { from: id('pod', name), to: id('configmap', 'settings'), verb: 'mounts' },
    { from: id('pod', name), to: id('k8s-secret', 'password'), verb: 'mounts' },
  ]),
  { from: id('service', 'web'), to: id('deployment', 'web'), verb: 'routes_to' },
  { from: id('ingress', 'shop.example'), to: id('service', 'web'), verb: 'routes_to' },
  { from: id('pod', 'web-1'), to: 'secret:of-nobody', verb: 'reads_secret' },
]

const kinds = [...new Set(shop.map(({ kind }) => kind))]
const gap = { source: 'prod-us', reason: 'The cluster does not answer.', since: null }
const read = snapshotReader(
  () => ({
    inventory: [{ kinds, list: async () => ({ resources: shop, gaps: [gap] }) }],
    relations: [{ list: async () => ({ relations, gaps: [gap] }) }],
  }),
  fakeClock(),
)
const snapshot = (role: 'OWNER' | 'VIEWER' = 'OWNER') => read({ organizationId: 1, userId: 1, role })
const everything = { direction: 'both', depth: 2 } as const

test('a relation to what is not in the inventory is left out, and a gap of two sources is said once', async () => {
  const { index, gaps } = await snapshot()
  expect(index.needs(id('pod', 'web-1')).map(({ to }) => to)).not.toContain('secret:of-nobody')
  expect(gaps).toEqual([gap])
})

test('what a role may not read is neither a resource nor the end of a relation', async () => {
  const { resources, index } = await snapshot('VIEWER')
  expect(resources.has(id('k8s-secret', 'password'))).toBe(false)
  expect(index.all.some(({ to }) => to === id('k8s-secret', 'password'))).toBe(false)
  expect((await snapshot('OWNER')).resources.has(id('k8s-secret', 'password'))).toBe(true)
})

test('boxes count each kind once, with a tick a resource and edges by kind', async () => {
  const all = await snapshot()
  const found = matching(all, everything)
  const boxes = boxesOf(found, new Map([[id('pod', 'web-2'), '2026-11-23T08:00:00.000Z']]))
  const pods = boxes.find(({ kind }) => kind === 'pod')
  expect(pods).toMatchObject({ total: 2, failing: 1, changed: 1 })
  expect(pods?.ticks.map(({ name, health, changedAt }) => [name, health, changedAt])).toEqual([
    ['web-1', 'failing', null],
    ['web-2', null, '2026-11-23T08:00:00.000Z'],
  ])
  const among = relationsAmong(all, new Set(found.map((each) => each.id)))
  expect(boxEdges(among)).toContainEqual({ from: 'pod', to: 'configmap', verb: 'mounts', count: 2 })
})

test('of more than 600 of a kind, ticks stand for several and lose no failure', () => {
  const many = Array.from({ length: 6_000 }, (_, index) =>
    thing('pod', `pod-${index}`, index === 4_321 ? { health: failing } : {}),
  )
  const [box] = boxesOf(many, new Map())
  expect(box?.ticks.length).toBeLessThanOrEqual(600)
  expect(box?.ticks.reduce((sum, { count }) => sum + count, 0)).toBe(6_000)
  expect(box?.ticks.filter(({ health }) => health === 'failing')).toHaveLength(1)
})

test('a focus leaves what is near, by direction and depth; a label what has it', async () => {
  const all = await snapshot()
  const names = (filters: Parameters<typeof matching>[1]) => matching(all, filters).map(({ name }) => name)
  expect(
    names({ focus: id('service', 'web'), direction: 'needs', depth: 1, kinds: ['service', 'deployment'] }),
  ).toEqual(['web', 'web'])
  expect(names({ ...everything, label: 'team=shop' })).toEqual(['web-1', 'web-2'])
  expect(names({ ...everything, label: 'team=blog' })).toEqual([])
  expect(() => matching(all, { ...everything, focus: 'pod:1.shop.gone' })).toThrow(/no resource/)
})

test('the bow tie names what it needs and, by steps, what needs it', async () => {
  const of = presentRelationsOf(await snapshot(), id('deployment', 'web'), 3)
  expect(of.needs.map(({ name, text }) => [name, text])).toEqual([['shop', 'is in']])
  expect(of.neededBy.map(({ name, step }) => [name, step])).toEqual([
    ['web-1', 1],
    ['web-2', 1],
    ['web', 1],
    ['shop.example', 2],
  ])
  expect(of.text).toBe('4 resources need it, 3 of them directly. It needs 1.')
})

test('a path reads each relation in the direction in which it is walked', async () => {
  const path = presentPath(await snapshot(), id('ingress', 'shop.example'), id('configmap', 'settings'))
  expect(path.steps.map(({ name, text }) => [name, text])).toEqual([
    ['shop.example', null],
    ['web', 'routes to'],
    ['web', 'routes to'],
    ['web-1', 'owns'],
    ['settings', 'mounts'],
  ])
  expect(path.text).toBe('shop.example leads to settings in 4 steps, by 1 deployment, 1 pod, 1 service.')
})

test('a failure is told in one sentence, with rows in the order of time', async () => {
  const impact = presentImpact(await snapshot(), node, 'fails')
  expect(impact.text).toBe(
    'If n1 fails, 5 of 9 resources feel it, and ingress shop.example stops answering at once.',
  )
  expect(impact.rows.map(({ name, text }) => `${name} ${text}`)).toEqual([
    'web-1 stops',
    'web-2 stops',
    'web has no working pod left',
    'web answers no request',
    'shop.example answers no request',
  ])
  expect(impact.steps.map(({ step, total }) => [step, total])).toEqual([
    [1, 2],
    [2, 1],
    [3, 1],
    [4, 1],
  ])
})

test('a deletion tells apart what stops, what goes along and what is left without use', async () => {
  const impact = presentImpact(await snapshot(), id('deployment', 'web'), 'deleted')
  expect(impact.goesWith).toMatchObject({ total: 2, text: '2 pods' })
  expect(impact.unused.rows.map(({ name }) => name).toSorted()).toEqual(['password', 'settings'])
  expect(impact.text).toBe(
    'Ingress shop.example stops answering at once. 2 resources stop at once, 2 are deleted with it.',
  )
  expect(presentImpact(await snapshot(), id('ingress', 'shop.example'), 'deleted').text).toBe(
    'Nothing needs shop.example.',
  )
})

test('a query narrows what is drawn, and keeps what it is drawn around', async () => {
  const snapshot = await read({ organizationId: 1, userId: 1, role: 'OWNER' })
  const filters = { direction: 'both', depth: 2 } as const
  const selected = new Set([id('pod', 'web-1')])
  expect(matching(snapshot, filters, selected).map(({ name }) => name)).toEqual(['web-1'])
  const around = matching(snapshot, { ...filters, focus: id('deployment', 'web') }, selected)
  expect(around.map(({ name }) => name).toSorted()).toEqual(['web', 'web-1'])
})

test('objects that a source knows by their labels relate to what it names, and it to them, in their namespace alone', async () => {
  const database = thing('database', 'orders', { id: 'database:7', cluster: null, namespace: null })
  const pods = [
    thing('pod', 'orders-1', { labels: { 'cnpg.io/cluster': 'orders' } }),
    thing('pod', 'orders-1', { labels: { 'cnpg.io/cluster': 'orders' }, namespace: 'other' }),
    thing('pod', 'web-1', { labels: { 'cnpg.io/cluster': 'other' } }),
  ]
  const labelled = {
    kind: 'pod',
    clusterId: 1,
    namespace: 'shop',
    labels: { 'cnpg.io/cluster': 'orders' },
  }
  const owned = { ...labelled, to: 'database:7', verb: 'owned_by' } as const
  const called = { ...labelled, from: 'database:7', verb: 'connects_to' } as const
  const readAll = snapshotReader(
    () => ({
      inventory: [
        { kinds: ['pod', 'database'], list: async () => ({ resources: [database, ...pods], gaps: [] }) },
      ],
      relations: [{ list: async () => ({ relations: [], gaps: [], labelled: [owned, called] }) }],
    }),
    fakeClock(new Date()),
  )
  const { index } = await readAll({ organizationId: 1, userId: 1, role: 'OWNER' })
  expect(index.all.filter(({ to, from }) => to === 'database:7' || from === 'database:7')).toEqual([
    { from: id('pod', 'orders-1'), to: 'database:7', verb: 'owned_by' },
    { from: 'database:7', to: id('pod', 'orders-1'), verb: 'connects_to' },
  ])
})
