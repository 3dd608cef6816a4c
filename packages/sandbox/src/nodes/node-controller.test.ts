import { expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { testSandbox } from '../testing/test-sandbox.ts'

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
