import type { ChangeEntry } from '@bey/contract'
import { expect, test } from 'vitest'
import { foldChanges, foldedTitle, workloadOf } from './fold-changes.ts'

const warning = (reason: string, name: string): ChangeEntry => ({
  key: `event ${reason} ${name}`,
  at: '2026-01-01T12:00:00.000Z',
  kind: 'event',
  title: `${reason}: Pod ${name}`,
  detail: null,
  isTrouble: true,
  object: { resource: 'pods', kind: 'Pod', namespace: 'shop', name },
  versionId: null,
  run: null,
  by: null,
})
const act: ChangeEntry = {
  ...warning('', ''),
  key: 'act',
  kind: 'action',
  title: 'Deployment web updated',
  object: null,
}

test('warnings of one reason about the pods of one workload are one', () => {
  const folded = foldChanges(
    [
      warning('BackOff', 'web-6b7d9c8f5d-x2v4q'),
      warning('BackOff', 'web-6b7d9c8f5d-9hjkl'),
      warning('Failed', 'web-6b7d9c8f5d-x2v4q'),
      warning('BackOff', 'worker-6b7d9c8f5d-x2v4q'),
      act,
    ],
    10,
  )
  expect(folded.map(foldedTitle)).toEqual([
    'BackOff: web × 2',
    'Failed: web',
    'BackOff: worker',
    'Deployment web updated',
  ])
})

test('where there is no room for all, warnings take a share of it, in the order of time', () => {
  const warnings = ['a', 'b', 'c'].map((name) => warning('BackOff', name))
  const acts = ['1', '2', '3', '4'].map((key) => ({ ...act, key, title: `act ${key}` }))
  const titles = (changes: ChangeEntry[], room: number) => foldChanges(changes, room).map(foldedTitle)
  expect(titles([...warnings, ...acts], 5)).toEqual(['BackOff: a', 'BackOff: b', 'act 1', 'act 2', 'act 3'])
  expect(titles([...warnings, act], 3)).toEqual(['BackOff: a', 'BackOff: b', 'Deployment web updated'])
})

test.each([
  ['web-6b7d9c8f5d-x2v4q', 'web'],
  ['db-0', 'db'],
  ['agent-x2v4q', 'agent'],
  ['web', 'web'],
])('%s is a pod of %s', (pod, workload) => expect(workloadOf(pod)).toBe(workload))
