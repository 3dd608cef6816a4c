import { expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { podsPath, testSandbox } from '../testing/test-sandbox.ts'

test('a node says when it is cordoned and when it is let go', async () => {
  const sandbox = await testSandbox()
  const merge = { 'content-type': 'application/merge-patch+json' }
  for (const unschedulable of [true, true, null])
    await sandbox.call('PATCH', '/api/v1/nodes/test-worker-1', { spec: { unschedulable } }, merge)
  const { body } = await sandbox.call('GET', '/api/v1/events?fieldSelector=involvedObject.name=test-worker-1')
  const said = listAt(body, 'items').map((one) => textAt(one, 'message') ?? '')
  expect(said.filter((text) => /Node(Not)?Schedulable/.test(text))).toEqual([
    'Node test-worker-1 status is now: NodeNotSchedulable',
    'Node test-worker-1 status is now: NodeSchedulable',
  ])
  await sandbox.remove()
})

test('a machine that is off answers neither logs nor commands, and nobody measures it', async () => {
  const sandbox = await testSandbox({ nodes: [{ name: 'only', count: 1 }] })
  const spec = { containers: [{ name: 'c', image: 'nginx' }] }
  await sandbox.call('POST', podsPath, { metadata: { name: 'web' }, spec })
  await sandbox.until(`${podsPath}/web`, (body) => textAt(body, 'status', 'phase') === 'Running')
  const metrics = '/apis/metrics.k8s.io/v1beta1'
  const count = async (path: string) =>
    listAt((await sandbox.call('GET', metrics + path)).body, 'items').length
  expect(await Promise.all([count('/pods'), count('/nodes')])).toEqual([1, 1])
  await sandbox.call('POST', '/sandbox/v1/chaos', { node: 'test-only-1', action: 'stop' })
  const node = await sandbox.call('GET', '/api/v1/nodes/test-only-1')
  const address = `${textAt(listAt(node.body, 'status', 'addresses')[0], 'address')}:10250`
  const log = await sandbox.call('GET', `${podsPath}/web/log`)
  expect(log.code).toBe(500)
  expect(textAt(log.body, 'message')).toBe(
    `Get "https://${address}/containerLogs/default/web/c": dial tcp ${address}: connect: no route to host`,
  )
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  const exec = await sandbox.call('GET', `${podsPath}/web/exec?command=ls`, undefined, upgrade)
  expect(exec.code).toBe(500)
  expect(textAt(exec.body, 'message')).toBe(
    `error dialing backend: dial tcp ${address}: connect: no route to host`,
  )
  expect(await Promise.all([count('/pods'), count('/nodes')])).toEqual([0, 0])
  const one = await sandbox.call('GET', `${metrics}/namespaces/default/pods/web`)
  expect(textAt(one.body, 'message')).toBe('podmetrics.metrics.k8s.io "default/web" not found')
  await sandbox.call('POST', '/sandbox/v1/chaos', { node: 'test-only-1', action: 'start' })
  expect((await sandbox.call('GET', `${podsPath}/web/log`)).code).toBe(200)
  await sandbox.remove()
})
