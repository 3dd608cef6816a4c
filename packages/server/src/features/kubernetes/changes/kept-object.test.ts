import { expect, test } from 'vitest'
import { keptObject } from './kept-object.ts'

const base = {
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b', resourceVersion: '1', uid: 'u', labels: { x: '1' } },
  data: { k: 'v' },
}

test('what the cluster reports is left out, so that only what somebody wrote counts', () => {
  const kept = keptObject({ ...base, status: { ready: true } })
  expect(kept.object).toEqual({
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'b', labels: { x: '1' } },
    data: { k: 'v' },
  })
  const later = { ...base, metadata: { ...base.metadata, resourceVersion: '2' }, status: {} }
  expect(keptObject(later).hash).toBe(kept.hash)
  expect(keptObject({ data: base.data, metadata: base.metadata, kind: 'ConfigMap' }).hash).toBe(kept.hash)
  expect(keptObject({ ...base, data: { k: 'w' } }).hash).not.toBe(kept.hash)
})

test('annotations that follow by themselves are left out', () => {
  const annotations = {
    'deployment.kubernetes.io/revision': '4',
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
  }
  const of = (more: object) =>
    keptObject({ ...base, metadata: { ...base.metadata, annotations: { ...annotations, ...more } } })
  expect(of({}).hash).toBe(keptObject(base).hash)
  expect(of({ owner: 'team' }).object['metadata']).toMatchObject({ annotations: { owner: 'team' } })
})

test('the manager that wrote last is named, not the one that reported the status', () => {
  const managedFields = [
    { manager: 'kubectl', time: '2026-01-01T10:00:00Z' },
    { manager: 'bey', time: '2026-01-01T11:00:00Z' },
    { manager: 'controller', time: '2026-01-01T12:00:00Z', subresource: 'status' },
  ]
  expect(keptObject({ ...base, metadata: { ...base.metadata, managedFields } })).toMatchObject({
    manager: 'bey',
    writtenAt: '2026-01-01T11:00:00Z',
  })
})
