import { databaseStatuses } from '@bey/contract'
import { expect, test } from 'vitest'

import { stateOf } from './cluster-state.ts'
import { pathOf, statusAfter } from './seen.ts'

const cluster = (phase: string | undefined, readyInstances = 3, more: object = {}) => ({
  spec: { instances: 3 },
  status: { ...(phase !== undefined && { phase }), readyInstances, ...more },
})
const because = { phaseReason: 'image not found.' }

test.each([
  ['Cluster in healthy state', 'available', null],
  ['Setting up primary', 'provisioning', 'Its first instance is being set up: image not found.'],
  ['Creating a new replica', 'scaling', 'A replica is being made: 3 of 3 instances are ready.'],
  [
    'Waiting for the instances to become active',
    'scaling',
    'Its instances are starting: 3 of 3 instances are ready.',
  ],
  ['Failing over', 'failing_over', 'Another instance becomes the primary: image not found.'],
  ['Switchover in progress', 'failing_over', 'Another instance becomes the primary: image not found.'],
  ['Promoting to primary cluster', 'failing_over', 'It is promoted from a replica cluster: image not found.'],
  ['Upgrading cluster', 'updating', 'Its instances are updated one by one: image not found.'],
  [
    'Upgrading Postgres major version',
    'updating',
    'PostgreSQL is upgraded to another major version: image not found.',
  ],
  ['Online upgrade in progress', 'updating', 'Its instance manager is updated: image not found.'],
  ['Applying configuration', 'updating', 'Its parameters are applied: image not found.'],
  ['Primary instance is being restarted in-place', 'restarting', 'Its primary restarts: image not found.'],
  [
    'Primary instance is being restarted without a switchover',
    'restarting',
    'Its primary restarts: image not found.',
  ],
  ['Cluster upgrade delayed', 'available', 'An update waits for its turn in CloudNativePG: image not found.'],
  ['Waiting for user action', 'degraded', 'CloudNativePG waits for a person: image not found.'],
  ['Invalid cluster definition', 'degraded', 'CloudNativePG refuses its definition: image not found.'],
  [
    'Something quite new',
    'degraded',
    'CloudNativePG says "Something quite new", a phase that Bey does not know.',
  ],
  [undefined, 'provisioning', 'CloudNativePG has not taken up its Cluster yet.'],
])('the phase %s is %s', (phase, status, reason) => {
  expect(stateOf(cluster(phase, 3, because))).toMatchObject({ status, reason })
})

test.each([
  'Cluster is unrecoverable and needs manual intervention',
  'Unable to create required cluster objects',
  'Cluster has incomplete or invalid image catalog',
  'Cluster cannot execute instance online upgrade due to missing architecture binary',
  'Cluster cannot proceed to reconciliation due to an unknown plugin being required',
  'Cluster cannot proceed to reconciliation due to an error while interacting with plugins',
])('the phase "%s" ends by nothing but somebody who mends it', (phase) => {
  expect(stateOf(cluster(phase))).toMatchObject({ status: 'degraded', isStuck: true })
})

test('a Cluster that is healthy by its phase is not while instances are missing', () => {
  expect(stateOf(cluster('Cluster in healthy state', 2))).toMatchObject({
    status: 'degraded',
    reason: 'Only 2 of 3 instances are ready.',
  })
  expect(stateOf(cluster('Cluster in healthy state', 0)).reason).toBe('None of its instances is ready.')
  expect(stateOf(cluster('Creating a new replica', 0)).status).toBe('provisioning')
})

test('hibernation is under way until its condition says that it is done', () => {
  const metadata = { annotations: { 'cnpg.io/hibernation': 'on' } }
  const conditions = (status: string) => [
    { type: 'cnpg.io/hibernation', status, message: 'Waiting for pods' },
  ]
  const asleep = (status: string) =>
    stateOf({ metadata, ...cluster('Cluster in healthy state', 0, { conditions: conditions(status) }) })
  expect(asleep('False')).toMatchObject({ status: 'hibernating', reason: 'Waiting for pods' })
  expect(asleep('True')).toMatchObject({ status: 'hibernated', reason: null })
})

test('what answers is available only if its server does, too', () => {
  const look = { state: stateOf(cluster('Cluster in healthy state')), observed: {} as never }
  expect(statusAfter('available', { cluster: look, problem: 'Its pod is gone.' })).toEqual({
    status: 'unreachable',
    reason: 'Its pod is gone.',
  })
  expect(statusAfter('available', { problem: 'The cluster is away.' })).toMatchObject({
    status: 'unreachable',
  })
  const setUp = { ...look, state: stateOf(cluster('Setting up primary', 0)) }
  expect(statusAfter('connecting', { cluster: setUp }).status).toBe('connecting')
  expect(statusAfter('available', { cluster: setUp }).status).toBe('degraded')
})

test('from each status of a database that is there, legal moves lead to each other one that a look may find', () => {
  const found = [
    'available',
    'updating',
    'restarting',
    'scaling',
    'failing_over',
    'degraded',
    'unreachable',
    'hibernated',
  ]
  const there = databaseStatuses.filter((each) =>
    [...found, 'connecting', 'hibernating', 'resuming'].includes(each),
  )
  for (const from of there) {
    for (const to of databaseStatuses.filter((each) => found.includes(each) && each !== from)) {
      expect(pathOf(from, to), `${from} to ${to}`).toBeDefined()
    }
  }
  expect(pathOf('hibernated', 'available')).toEqual(['resuming', 'available'])
})
