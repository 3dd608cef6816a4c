import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const play = (name: string) => sandbox.call('POST', '/sandbox/v1/scenario', { name })

test('an incident shows every kind of trouble that it promises', async () => {
  expect((await play('incident')).code).toBe(200)
  const reasons = ['CrashLoopBackOff', 'ImagePullBackOff', 'OOMKilled', 'Insufficient memory']
  for (const reason of reasons) {
    await sandbox.until('/api/v1/namespaces/shop/pods', (list) => JSON.stringify(list).includes(reason))
  }
  for (const reason of ['NodeStatusUnknown', 'KubeletHasDiskPressure']) {
    await sandbox.until('/api/v1/nodes', (list) => JSON.stringify(list).includes(reason))
  }
  const { body } = await sandbox.call('GET', '/api/v1/namespaces/shop/secrets/storefront-tls')
  const certificate = new X509Certificate(Buffer.from(textAt(body, 'data', 'tls.crt') ?? '', 'base64'))
  expect(Date.parse(certificate.validTo) - Date.now()).toBeLessThan(4 * 24 * 3600 * 1000)
})

test('a scenario can be played twice, and one that there is not is refused', async () => {
  const before = listAt(
    (await sandbox.call('GET', '/apis/apps/v1/namespaces/shop/deployments')).body,
    'items',
  ).length
  expect((await play('healthy')).code).toBe(200)
  expect(
    listAt((await sandbox.call('GET', '/apis/apps/v1/namespaces/shop/deployments')).body, 'items'),
  ).toHaveLength(before)
  expect((await play('constructor')).code).toBe(400)
})
