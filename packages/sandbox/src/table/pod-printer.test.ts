import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt } from '../json.ts'
import { podsPath, testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

test('a sidecar counts among the containers that are ready', async () => {
  const image = 'nginx:1.29'
  const initContainers = [
    { name: 'once', image: 'busybox:1', command: ['true'] },
    { name: 'beside', image, restartPolicy: 'Always' },
  ]
  const spec = { initContainers, containers: [{ name: 'main', image }] }
  await sandbox.call('POST', podsPath, { metadata: { name: 'two' }, spec })
  await sandbox.until(`${podsPath}/two`, (body) =>
    listAt(body, 'status', 'conditions').some(
      (one) => JSON.stringify(one).includes('"Ready"') && JSON.stringify(one).includes('"True"'),
    ),
  )
  const { body } = await sandbox.call('GET', `${podsPath}/two`, undefined, table)
  expect(listAt(listAt(body, 'rows')[0], 'cells').slice(0, 4)).toEqual(['two', '2/2', 'Running', '0'])
})
