import { expect, test } from 'vitest'
import { foldWarnings, podPrefix } from './change-rules.ts'
import type { ChangeEntry } from './changes.ts'

const warning = (reason: string, name: string): ChangeEntry => ({
  key: `event ${reason} ${name}`,
  at: '2026-01-01T12:00:00.000Z',
  kind: 'event',
  title: `${reason}: Pod ${name}`,
  detail: null,
  isTrouble: true,
  count: 1,
  object: { resource: 'pods', kind: 'Pod', namespace: 'shop', name },
  versionId: null,
  run: null,
  by: null,
})

test('warnings of one reason about the pods of one workload are one', () => {
  const act: ChangeEntry = {
    ...warning('', ''),
    key: 'act',
    kind: 'action',
    title: 'Deployment web updated',
    object: null,
  }
  const folded = foldWarnings([
    warning('BackOff', 'web-6b7d9c8f5d-x2v4q'),
    warning('BackOff', 'web-6b7d9c8f5d-9hjkl'),
    warning('Failed', 'web-6b7d9c8f5d-x2v4q'),
    warning('BackOff', 'worker-6b7d9c8f5d-x2v4q'),
    act,
  ])
  expect(folded.map(({ title, count }) => `${title}, ${count}`)).toEqual([
    'BackOff: web × 2, 2',
    'Failed: web, 1',
    'BackOff: worker, 1',
    'Deployment web updated, 1',
  ])
  expect(foldWarnings(folded.slice(1))).toEqual(folded.slice(1))
})

test.each([
  ['web-6b7d9c8f5d-x2v4q', 'web'],
  ['db-0', 'db'],
  ['agent-x2v4q', 'agent'],
  ['web', 'web'],
])('%s is a pod of %s', (pod, workload) => expect(podPrefix(pod)).toBe(workload))
