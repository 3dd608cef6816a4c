import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt, type JsonObject } from '../json.ts'
import { podsPath, testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

function pod(name: string, image: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { ...spec, containers: [{ name: 'c', image }] } }
}

const isIn = (phase: string) => (body: JsonObject) => textAt(body, 'status', 'phase') === phase

const conditions = (body: JsonObject) =>
  listAt(body, 'status', 'conditions').map((one) =>
    [textAt(one, 'type'), textAt(one, 'status'), textAt(one, 'reason')].filter(Boolean).join(' '),
  )

test('conditions stand in the order of the kubelet, behind those of readiness gates', async () => {
  const gates = { readinessGates: [{ conditionType: 'example.com/gate' }] }
  await sandbox.call('POST', podsPath, pod('gated', 'nginx', gates))
  await sandbox.until(`${podsPath}/gated`, isIn('Running'))
  await sandbox.call(
    'PATCH',
    `${podsPath}/gated/status`,
    { status: { conditions: [{ type: 'example.com/gate', status: 'True' }] } },
    { 'content-type': 'application/strategic-merge-patch+json' },
  )
  const body = await sandbox.until(`${podsPath}/gated`, (one) => conditions(one).includes('Ready True'))
  expect(conditions(body)).toEqual([
    'example.com/gate True',
    'PodReadyToStartContainers True',
    'Initialized True',
    'Ready True',
    'ContainersReady True',
    'PodScheduled True',
  ])
})

test('a pod that is through says so in every condition that it touches', async () => {
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'once' },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1'] }] },
  })
  const body = await sandbox.until(`${podsPath}/once`, isIn('Succeeded'))
  expect(conditions(body)).toEqual([
    'PodReadyToStartContainers False',
    'Initialized True PodCompleted',
    'Ready False PodCompleted',
    'ContainersReady False PodCompleted',
    'PodScheduled True',
  ])
})

test('a pod has an address though its image cannot be pulled', async () => {
  await sandbox.call('POST', podsPath, pod('unpulled', 'doesnotexist:1'))
  const body = await sandbox.until(
    `${podsPath}/unpulled`,
    (one) => textAt(one, 'status', 'podIP') !== undefined,
  )
  expect(textAt(body, 'status', 'phase')).toBe('Pending')
  expect(conditions(body)).toContain('PodReadyToStartContainers True')
})
