import { diffLines } from 'diff'
import { expect, test } from 'vitest'
import type { ActionTarget } from './action.ts'
import type { ActionObject } from './action-object.ts'
import { objectLines } from './object-lines.ts'
import { revisionsOf, revisionsRequest, rollbackRequest, versionOf } from './revisions.ts'

const template = (image: string, hash?: string) => ({
  metadata: { labels: { app: 'web', ...(hash && { 'pod-template-hash': hash }) } },
  spec: { containers: [{ name: 'app', image }] },
})

const target: ActionTarget = {
  clusterId: 7,
  clusterTitle: 'prod',
  resource: {
    resource: 'deployments.apps',
    kind: 'Deployment',
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    verbs: [],
  },
  namespace: 'shop',
  name: 'web',
  object: {
    metadata: { uid: 'd1', generation: 4, annotations: { 'deployment.kubernetes.io/revision': '2' } },
    spec: { selector: { matchLabels: { app: 'web' } } },
  },
}

const replicaSet = (revision: number, image: string, owner = 'd1'): ActionObject => ({
  metadata: {
    name: `web-${revision}`,
    ownerReferences: [{ uid: owner }],
    annotations: {
      'deployment.kubernetes.io/revision': String(revision),
      'kubernetes.io/change-cause': 'release',
    },
  },
  spec: { template: template(image, `h${revision}`) },
  status: { replicas: revision },
})

test('revisions of a deployment are its replica sets, without the hash that its controller adds', () => {
  expect(revisionsRequest(target).path).toBe(
    '/apis/apps/v1/namespaces/shop/replicasets?labelSelector=app%3Dweb',
  )
  const list = { items: [replicaSet(1, 'web:1'), replicaSet(2, 'web:2'), replicaSet(9, 'x', 'another')] }
  expect(revisionsOf(target, list)).toMatchObject([
    { number: 2, isCurrent: true, images: ['web:2'], pods: 2 },
    { number: 1, isCurrent: false, images: ['web:1'], changeCause: 'release', template: template('web:1') },
  ])
})

test('revisions of a stateful set are its controller revisions', () => {
  const set: ActionTarget = {
    ...target,
    resource: {
      ...target.resource,
      resource: 'statefulsets.apps',
      kind: 'StatefulSet',
      plural: 'statefulsets',
    },
    object: { metadata: { uid: 's1' }, status: { updateRevision: 'web-b' } },
  }
  const revision = (name: string, number: number): ActionObject => ({
    metadata: { name, ownerReferences: [{ uid: 's1' }] },
    revision: number,
    data: { spec: { template: template(`web:${number}`) } },
  })
  expect(revisionsRequest(set).path).toBe('/apis/apps/v1/namespaces/shop/controllerrevisions')
  // After a rollback the newest number is not always the one that runs.
  const list = { items: [revision('web-a', 3), revision('web-b', 2)] }
  expect(revisionsOf(set, list).map(({ number, isCurrent }) => [number, isCurrent])).toEqual([
    [3, false],
    [2, true],
  ])
})

test('a rollback replaces the template whole, and only what was looked at', () => {
  const [, first] = revisionsOf(target, { items: [replicaSet(1, 'web:1'), replicaSet(2, 'web:2')] })
  expect(first && rollbackRequest(target, first)).toMatchObject({
    method: 'PATCH',
    contentType: 'application/json-patch+json',
    body: [
      { op: 'test', path: '/metadata/generation', value: 4 },
      { op: 'replace', path: '/spec/template', value: template('web:1') },
    ],
  })
})

test('templates are compared as lines in a fixed order', () => {
  const before = objectLines({
    spec: { containers: [{ image: 'web:1', name: 'app', args: ['--a', 'yes'] }] },
  })
  expect(before).toBe(
    'spec:\n  containers:\n  - name: app\n    args:\n    - "--a"\n    - "yes"\n    image: web:1\n',
  )
  const after = objectLines({ spec: { containers: [{ args: ['--a', 'yes'], name: 'app', image: 'web:2' }] } })
  const changed = diffLines(before, after).filter(({ added, removed }) => added || removed)
  expect(changed.map(({ value }) => value.trim())).toEqual(['image: web:1', 'image: web:2'])
})

test.each([
  ['registry.example.com:5000/app:2.14.0', '2.14.0'],
  ['registry.example.com:5000/app', 'latest'],
  ['app@sha256:0123456789abcdef0123', '0123456789ab'],
])('the version of %s is %s', (image, version) => {
  expect(versionOf(image)).toBe(version)
})
