import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { deployment, deploymentsPath, testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }

test('a scale is printed with what is wanted and what there is', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('web', 3))
  const { body } = await sandbox.call('GET', `${deploymentsPath}/web/scale`, undefined, table)
  expect(textAt(body, 'kind')).toBe('Table')
  expect(listAt(body, 'columnDefinitions').map((one) => textAt(one, 'name'))).toEqual([
    'Name',
    'Desired',
    'Available',
    'Age',
  ])
  expect(listAt(body, 'rows')).toMatchObject([{ cells: ['web', 3, 3, '0s'] }])
})

test('anyone who does not ask for a table gets the scale itself', async () => {
  const { body } = await sandbox.call('GET', `${deploymentsPath}/web/scale`)
  expect(body).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } })
})
