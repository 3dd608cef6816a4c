import type { AttentionItem, Health, HealthState } from '@bey/contract'
import { healthy } from '@bey/contract'
import { expect, test } from 'vitest'
import { summaryOf } from './summary.ts'

const state = (name: HealthState, since: string | null = null): Health => ({ ...healthy, state: name, since })
const item = (
  kind: string,
  name: HealthState,
  cluster: string | null,
  since: string | null = null,
): AttentionItem => ({
  key: `${kind}/${cluster}/${since}`,
  kind,
  name: cluster ?? 'x',
  namespace: null,
  cluster: cluster === null ? null : { id: 1, title: cluster },
  health: state(name, since),
  affected: null,
  href: '/',
  action: 'open',
})
const summary = (
  clusters: [string, Health][],
  attention: AttentionItem[] = [],
  pods = { total: 10, failing: 0 },
  runs: Record<string, number> = {},
  databases: Health[] = [],
) =>
  summaryOf({
    databases,
    clusters: clusters.map(([title, health]) => ({ title, health })),
    attention,
    nodes: 3,
    pods,
    runs24h: { total: Object.values(runs).reduce((sum, each) => sum + each, 0), byStatus: runs },
  })

const early = '2026-01-01T10:00:00.000Z'
const late = '2026-01-01T12:00:00.000Z'

test('an alert is no workload, a network is counted, and each is named where it is alone', () => {
  const alert = { ...item('Alert', 'failing', null), name: 'Pods fail' }
  const down = item('Deployment', 'failing', 'prod')
  const clusters: [string, Health][] = [['prod', state('failing')]]
  expect(summary(clusters, [down, alert]).text).toBe('1 workload failing in prod, 1 alert fires: Pods fail')
  expect(summary(clusters, [alert, alert]).text).toBe('2 alerts fire')
  expect(summary(clusters, [item('Alert', 'unknown', null)]).text).toBe('1 alert of unknown state')
  expect(summary(clusters, [item('Network', 'failing', null)]).text).toBe('1 network failing')
})

test('what fails is counted, placed, and as old as the first of it', () => {
  const found = summary(
    [
      ['prod', state('failing')],
      ['staging', healthy],
    ],
    [
      item('Deployment', 'failing', 'prod', late),
      item('StatefulSet', 'failing', 'prod', early),
      item('Node', 'failing', 'prod', late),
      item('Deployment', 'degraded', 'prod', early),
    ],
    { total: 188, failing: 11 },
    { completed: 7 },
  )
  expect(found).toEqual({
    state: 'failing',
    text: '1 node and 2 workloads failing in prod',
    detail: '11 of 188 pods fail. The other cluster is healthy.',
    since: early,
  })
})

test('trouble in several clusters names none of them', () => {
  const clusters: [string, Health][] = [
    ['a', state('failing')],
    ['b', state('failing')],
  ]
  const attention = [item('Deployment', 'failing', 'a'), item('Deployment', 'failing', 'b')]
  expect(summary(clusters, attention).text).toBe('2 workloads failing in 2 clusters')
})

test('a cluster that could not be looked at is never healthy', () => {
  const found = summary(
    [
      ['a', healthy],
      ['b', state('unknown')],
    ],
    [item('Cluster', 'unknown', 'b')],
  )
  expect(found).toMatchObject({ state: 'unknown', text: '1 cluster of unknown health: b' })
  // Even where no row says so.
  expect(
    summary([
      ['a', healthy],
      ['b', state('unknown')],
    ]),
  ).toMatchObject({ state: 'unknown', text: 'b is not checked' })
})

test('all are healthy since the last of them became so', () => {
  const clusters: [string, Health][] = [
    ['a', state('healthy', early)],
    ['b', state('healthy', late)],
  ]
  expect(summary(clusters, [], { total: 1, failing: 0 }, { completed: 1, failed: 1 })).toEqual({
    state: 'healthy',
    text: 'Healthy',
    detail: '2 clusters, 3 nodes and 1 pod checked. 2 runs in 24 h, 1 completed.',
    since: late,
  })
})

test('what is being made is on the way, and neither healthy nor in trouble', () => {
  expect(summary([['a', state('starting')]])).toMatchObject({ state: 'starting', text: 'a is on the way' })
})

test('clusters that do not answer are counted in the headline, beside what fails and alone', () => {
  const lost = (name: string): AttentionItem => ({
    ...item('Cluster', 'unknown', name, late),
    health: { ...state('unknown', late), reason: 'Unreachable' },
  })
  const clusters: [string, Health][] = [
    ['a', state('failing')],
    ['b', state('unknown')],
    ['c', healthy],
  ]
  expect(summary(clusters, [lost('b'), item('Deployment', 'failing', 'a', early)])).toMatchObject({
    state: 'failing',
    text: '1 workload failing in a, 1 cluster does not answer',
  })
  expect(summary(clusters.slice(1), [lost('b')])).toMatchObject({
    state: 'unknown',
    text: '1 cluster does not answer: b',
    detail: '1 of 2 clusters, 3 nodes and 10 pods checked. The other cluster is healthy.',
    since: late,
  })
  expect(summary(clusters, [lost('a'), lost('b')]).text).toBe('2 clusters do not answer')
})

test('more runs than are counted are called so', () => {
  const { detail } = summaryOf({
    clusters: [],
    databases: [],
    attention: [],
    nodes: 0,
    pods: { total: 0, failing: 0 },
    runs24h: { total: 10_004, byStatus: { completed: 10_000, failed: 4 }, totalIsExact: false },
  })
  expect(detail).toBe('More than 10,004 runs in 24 h.')
})

test('databases are part of the sentence, with and without clusters', () => {
  const lost: AttentionItem = {
    ...item('Database', 'failing', null, early),
    name: 'orders',
    health: { ...state('failing', early), reason: 'Unreachable' },
  }
  const full = { ...item('Database', 'degraded', null, late), name: 'carts' }
  expect(summary([], [lost], undefined, {}, [lost.health, healthy])).toEqual({
    state: 'failing',
    text: '1 database does not answer: orders',
    detail: '1 of 2 databases checked.',
    since: early,
  })
  expect(summary([['a', healthy]], [full], undefined, {}, [full.health])).toMatchObject({
    state: 'degraded',
    text: '1 database degraded: carts',
    detail: '1 cluster, 3 nodes, 10 pods and 1 database checked.',
  })
  expect(summary([['a', healthy]], [lost, full], undefined, {}, [full.health]).text).toBe(
    '1 database does not answer: orders',
  )
  expect(summary([], [], undefined, { completed: 1 }, [healthy])).toMatchObject({
    text: 'No cluster yet',
    detail: '1 database checked. 1 run in 24 h, completed.',
  })
  // One that is being made was not looked at, and what has just recovered was not healthy for long.
  expect(
    summary([['a', state('healthy', early)]], [], undefined, {}, [state('healthy', late), state('starting')]),
  ).toMatchObject({
    text: 'Healthy',
    detail: '1 cluster, 3 nodes, 10 pods and 1 of 2 databases checked.',
    since: late,
  })
})
