import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, clone, listAt, numberAt, objectAt, textAt } from '../json.ts'
import { deploymentsPath, testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox
const merge = { 'content-type': 'application/merge-patch+json' }

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

test('going back to a template takes its old set again, for a template says all its defaults', async () => {
  const env = [{ name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }]
  const template = (image: string) => ({
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', image, env }] },
  })
  const selector = { matchLabels: { app: 'web' } }
  const path = `${deploymentsPath}/web`
  const made = await sandbox.call('POST', deploymentsPath, {
    metadata: { name: 'web' },
    spec: { selector, template: template('nginx:1.29') },
  })
  const first = clone(objectAt(made.body, 'spec', 'template'))
  const reference = ['valueFrom', 'resourceFieldRef', 'divisor'] as const
  expect(textAt(listAt(listAt(first, 'spec', 'containers')[0], 'env')[0], ...reference)).toBe('0')
  const isReady = (generation: number) => (body: Parameters<typeof numberAt>[0]) =>
    numberAt(body, 'status', 'observedGeneration') === generation &&
    numberAt(body, 'status', 'updatedReplicas') === 1 &&
    numberAt(body, 'status', 'replicas') === 1 &&
    numberAt(body, 'status', 'readyReplicas') === 1
  await sandbox.until(path, isReady(1))
  await sandbox.call('PATCH', path, { spec: { template: template('nginx:1.30') } }, merge)
  await sandbox.until(path, isReady(2))
  await sandbox.call('PATCH', path, { spec: { template: first } }, merge)
  await sandbox.until(path, isReady(3))
  const { body } = await sandbox.call('GET', '/apis/apps/v1/namespaces/default/replicasets')
  const revisions = listAt(body, 'items').map((set) =>
    at(set, 'metadata', 'annotations', 'deployment.kubernetes.io/revision'),
  )
  expect(new Set(revisions)).toEqual(new Set(['2', '3']))
})
