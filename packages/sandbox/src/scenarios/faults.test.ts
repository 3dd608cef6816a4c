import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, listAt, textAt } from '../json.ts'
import { testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'
import { faults } from './fault-list.ts'

let sandbox: StillSandbox

beforeEach(async () => {
  sandbox = await testSandbox()
})
afterEach(() => sandbox.remove())

const path = '/sandbox/v1/faults'
const chaos = '/apis/apps/v1/namespaces/chaos/deployments'

const put = (id: string, action: string) => sandbox.call('POST', path, { id, action })

async function active(): Promise<unknown[]> {
  const { body } = await sandbox.call('GET', path)
  return listAt(body, 'faults').flatMap((one) => (at(one, 'since') === null ? [] : [at(one, 'id')]))
}

async function node(name: string) {
  const { body } = await sandbox.call('GET', `/api/v1/nodes/${name}`)
  const status = (type: string) =>
    textAt(listAt(body, 'status', 'conditions').find((one) => textAt(one, 'type') === type) ?? {}, 'status')
  return { ready: status('Ready'), disk: status('DiskPressure'), taints: listAt(body, 'spec', 'taints') }
}

test.each(faults.map(({ id }) => id))('%s is applied and ended, each as often as one likes', async (id) => {
  for (const action of ['apply', 'apply']) expect((await put(id, action)).code).toBe(200)
  expect(await active()).toEqual([id])
  for (const action of ['end', 'end']) expect((await put(id, action)).code).toBe(200)
  expect(await active()).toEqual([])
  sandbox.clock.advance(120_000)
  expect(listAt((await sandbox.call('GET', chaos)).body, 'items')).toEqual([])
})

test('what a fault breaks can be seen, and is whole again once it has ended', async () => {
  await put('crash-loop', 'apply')
  const pods = '/api/v1/namespaces/chaos/pods'
  await sandbox.until(pods, (body) => JSON.stringify(body).includes('CrashLoopBackOff'))
  await put('crash-loop', 'end')
  await sandbox.until(pods, (body) => listAt(body, 'items').length === 0)

  await put('full-disk', 'apply')
  await put('node-down', 'apply')
  sandbox.clock.advance(120_000)
  expect(await node('test-worker-1')).toMatchObject({ ready: 'True', disk: 'True' })
  expect((await node('test-worker-2')).ready).toBe('Unknown')
  await put('full-disk', 'end')
  await put('node-down', 'end')
  sandbox.clock.advance(120_000)
  expect(await node('test-worker-1')).toEqual({ ready: 'True', disk: 'False', taints: [] })
  expect(await node('test-worker-2')).toMatchObject({ ready: 'True', taints: [] })
})

test('a slow API keeps people waiting, and anyone who looks after the sandbox not', async () => {
  await put('slow-api', 'apply')
  let isDone = false
  const asked = sandbox.call('GET', '/api/v1/nodes').then(() => (isDone = true))
  expect((await sandbox.call('GET', '/sandbox/v1/status')).code).toBe(200)
  sandbox.clock.advance(1_000)
  expect(isDone).toBe(false)
  await expect
    .poll(() => {
      sandbox.clock.advance(2_000)
      return isDone
    })
    .toBe(true)
  await asked
})

test('a restart forgets nothing that is broken, and it can still be mended', async () => {
  await put('full-disk', 'apply')
  const { dir, clock } = sandbox
  await sandbox.stop()
  sandbox = await testSandbox({ dir, clock })
  expect(await active()).toEqual(['full-disk'])
  await put('full-disk', 'end')
  expect(await node('test-worker-1')).toEqual({ ready: 'True', disk: 'False', taints: [] })
})

test('one that there is not is refused with those that there are', async () => {
  const refused = await put('earthquake', 'apply')
  expect(refused.code).toBe(400)
  expect(textAt(refused.body, 'message')).toContain('There are: crash-loop, bad-image,')
})
