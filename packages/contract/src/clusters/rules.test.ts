import { expect, test } from 'vitest'
import { applyProvisioning, clusterCan, clusterLabel } from './rules.ts'
import {
  clusterMoves,
  clusterStatuses,
  runMoves,
  runStatuses,
  stepMoves,
  stepStatuses,
} from '../base/statuses.ts'

const creating = { id: 1, status: 'CREATING', pending_operations: 1 } as const

test.each([
  ['COMPLETED', 'RUNNING', 0],
  ['FAILED', 'ERROR', 1],
  ['PROCESSING', 'CREATING', 1],
  ['PROVISIONING', 'CREATING', 1],
  ['DELETED', 'DELETED', 0],
  ['anything else', 'CREATING', 1],
])('a provisioning update %s makes a creating cluster %s with %i pending', (status, expected, pending) => {
  expect(applyProvisioning(creating, { status })).toEqual({
    id: 1,
    status: expected,
    pending_operations: pending,
  })
})

test('an unknown update keeps the current status and sets one pending operation', () => {
  expect(applyProvisioning({ status: 'RUNNING', pending_operations: 0 }, { status: 'SHRUG' })).toEqual({
    status: 'RUNNING',
    pending_operations: 1,
  })
})

test('labels are lower case and what is unknown shows as pending', () => {
  expect(clusterStatuses.map(clusterLabel)).toEqual([
    'pending',
    'creating',
    'running',
    'updating',
    'error',
    'deleted',
    'completed',
    'failed',
  ])
  expect(clusterLabel('EXPLODED')).toBe('pending')
})

test('only a pending or failed cluster is provisioned, and whatever is not deleted or being deleted can be deleted', () => {
  const allowed = (
    can: (cluster: {
      status: (typeof clusterStatuses)[number]
      pending_operations: number
    }) => string | undefined,
  ) => clusterStatuses.filter((status) => can({ status, pending_operations: 0 }) === undefined)
  expect(allowed(clusterCan.provision)).toEqual(['PENDING', 'ERROR'])
  expect(allowed(clusterCan.delete)).toEqual([
    'PENDING',
    'CREATING',
    'RUNNING',
    'ERROR',
    'COMPLETED',
    'FAILED',
  ])
  expect(allowed(clusterCan.connect)).toEqual(['RUNNING'])
})

test('every legal move leads to a status that exists, and none leads back to where it starts', () => {
  const tables = [
    [clusterMoves, clusterStatuses],
    [runMoves, runStatuses],
    [stepMoves, stepStatuses],
  ] as const
  for (const [moves, statuses] of tables) {
    expect(Object.keys(moves)).toEqual([...statuses])
    for (const [from, targets] of Object.entries(moves)) {
      expect(
        targets.every((target: string) => statuses.some((status) => status === target) && target !== from),
      ).toBe(true)
    }
  }
})
