import { expect, test } from 'vitest'
import { serviceCatalog } from './catalog.ts'
import { eventTable, followersOf, recipientOf } from './events.ts'
import type { LiveEvents } from './events.ts'
import { permissionTable } from './permissions.ts'
import { followedEntity, subscriptionKey, subscriptionTable } from './subscriptions.ts'
import { entities, entityHref, entityOf, entityTypes, isFailing, isIdOf } from './entity-table.ts'

const uuid = '019a0000-0000-7000-8000-000000000001'

test('every audience of an event is a subscription that exists', () => {
  for (const [name, { audience }] of Object.entries(eventTable)) {
    if (typeof audience === 'string' || 'userIn' in audience) continue
    for (const kind of audience.followersOf) {
      if (kind !== 'subject') expect(Object.keys(subscriptionTable), name).toContain(kind)
    }
  }
})

test('whatever names no permission of its own takes that for reading the entity', () => {
  expect(eventTable.CLUSTERS_UPDATE.permission).toBe('clusters.read')
  expect(eventTable.CLUSTER_METRICS_UPDATE.permission).toBe('kubernetes.read')
  expect(subscriptionTable.workflow.permission).toBe('workflows.read')
  for (const { permission } of [...Object.values(eventTable), ...Object.values(subscriptionTable)]) {
    expect(permissionTable).toHaveProperty([permission])
  }
})

test('a step reaches who follows its workflow, all workflows, or what the run works on', () => {
  const step = (subject: { type: 'cluster' | 'workflow'; id: string } | null) =>
    followersOf({ type: 'WORKFLOW_STEP_UPDATE', data: { workflowId: 'w', subject } })
  expect(step({ type: 'cluster', id: '4' })).toEqual(['workflow w', 'workflows', 'cluster 4'])
  expect(step({ type: 'workflow', id: uuid })).toContain(`workflow ${uuid}`)
  expect(step(null)).toEqual(['workflow w', 'workflows'])
})

test('a notification reaches its user, and a list every member', () => {
  expect(recipientOf({ type: 'NOTIFICATIONS_UPDATE', data: { userId: 7 } })).toBe(7)
  expect(recipientOf({ type: 'CLUSTERS_UPDATE', data: { clusters: [], total: 0 } })).toBeUndefined()
  expect(followersOf({ type: 'CLUSTERS_UPDATE', data: {} })).toBeUndefined()
})

test('a subscription has one key, whether its id is a number or text', () => {
  expect(subscriptionKey({ kind: 'cluster_metrics', clusterId: 4 })).toBe('cluster_metrics 4')
  expect(subscriptionKey({ kind: 'workflow', workflowId: uuid })).toBe(`workflow ${uuid}`)
  expect(subscriptionKey({ kind: 'engine_status' })).toBe('engine_status')
  expect(followedEntity({ kind: 'cluster', clusterId: 4 })).toEqual({ type: 'cluster', id: '4' })
  expect(followedEntity({ kind: 'workflows' })).toBeUndefined()
})

test('a thing leads to its page, if its id is all that takes', () => {
  expect(entityHref({ type: 'cluster', id: '4' })).toBe('/kubernetes/clusters/4')
  expect(entityHref({ type: 'workflow', id: uuid })).toBe(`/workflows/${uuid}`)
  expect(entityHref({ type: 'run', id: uuid })).toBeUndefined()
  expect(entityHref({ type: 'annotation', id: uuid })).toBeUndefined()
})

test('only what PostgreSQL can read as an id is one', () => {
  expect(isIdOf('cluster', '4')).toBe(true)
  for (const id of ['', 'x', '-1', '4.5', '2147483648', uuid]) expect(isIdOf('cluster', id), id).toBe(false)
  expect(isIdOf('workflow', uuid)).toBe(true)
  expect(isIdOf('workflow', '4')).toBe(false)
})

test('lists and forms of entities stand in the catalogue of services under their own names', () => {
  const routes = serviceCatalog.flatMap(({ services }) => services.flatMap((service) => service.routes ?? []))
  for (const type of ['cluster', 'workflow', 'run'] as const) {
    expect(routes.map(({ path }) => path)).toContain(entityOf(type).paths.list)
  }
  expect(routes).toContainEqual({ label: 'Create workflow', path: '/workflows/create' })
})

test('a type that names its place in the sidebar names a launched service', () => {
  const launched = serviceCatalog.flatMap(({ services }) =>
    services.filter(({ isLaunched }) => isLaunched).map(({ value }) => value),
  )
  const places = entityTypes.flatMap((type) => entityOf(type).sidebar ?? [])
  expect(places.filter((place) => !launched.includes(place))).toEqual([])
})

test('types have names, paths and statuses of their own', () => {
  const lists = entityTypes.map((type) => entityOf(type).paths.list)
  expect(new Set(lists).size).toBe(lists.length)
  for (const type of entityTypes) expect(entityOf(type).plural, type).not.toBe(entityOf(type).singular)
  expect(isFailing('cluster', 'ERROR')).toBe(true)
  expect(isFailing('workflow', 'timed_out')).toBe(true)
  expect(isFailing('workflow', 'ERROR')).toBe(false)
})

test('a row is labelled by its descriptor', () => {
  const row = { title: 'prod', version: '1.33.1', nodeCount: 1, region: '' }
  expect([entities.cluster.label(row), entities.cluster.subtitle(row)]).toEqual(['prod', '1.33.1 · 1 node'])
  expect(entities.run.label({ workflowName: 'Provision', subject: { name: 'prod' } })).toBe(
    'Provision · prod',
  )
})

test('the samples of webhooks are what the events carry', () => {
  const { WORKFLOW_RUN_UPDATE, WORKFLOW_STEP_UPDATE } = entities.run.events
  // Checked by the compiler: within the descriptor their type would depend on itself.
  const run: LiveEvents['WORKFLOW_RUN_UPDATE'] = WORKFLOW_RUN_UPDATE.webhook.sample
  const step: LiveEvents['WORKFLOW_STEP_UPDATE'] = WORKFLOW_STEP_UPDATE.webhook.sample
  expect(run.runId).toBe(step.runId)
})
