import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, listAt, numberAt, textAt, type Json, type JsonObject } from '../json.ts'
import { testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'
import { scenarios } from './scenarios.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const play = (name: string) => sandbox.call('POST', '/sandbox/v1/scenario', { name })
const items = async (path: string) => listAt((await sandbox.call('GET', path)).body, 'items')
const shop = '/api/v1/namespaces/shop'

/** The first container's status of the pods of an app. */
async function statuses(app: string): Promise<Json[]> {
  const pods = await items(`${shop}/pods?labelSelector=app=${app}`)
  return pods.flatMap((pod) => listAt(pod, 'status', 'containerStatuses').slice(0, 1))
}

async function reasons(app: string): Promise<string[]> {
  const events = await items(`${shop}/events?fieldSelector=involvedObject.kind=Pod`)
  return events
    .filter((event) => textAt(event, 'involvedObject', 'name')?.startsWith(app))
    .map((event) => `${textAt(event, 'reason')}: ${textAt(event, 'message')}`)
}

async function nodesWith(type: string, status: string): Promise<JsonObject[]> {
  const isSo = (one: Json) => textAt(one, 'type') === type && textAt(one, 'status') === status
  const nodes = await items('/api/v1/nodes')
  return nodes.filter(
    (node): node is JsonObject => typeof node === 'object' && listAt(node, 'status', 'conditions').some(isSo),
  )
}

const taints = (node: Json | undefined) => listAt(node, 'spec', 'taints').map((one) => textAt(one, 'key'))

describe('an incident', () => {
  beforeAll(async () => {
    expect((await play('incident')).code).toBe(200)
    sandbox.clock.advance(4 * 60_000)
  })

  test('has a program that crashes again and again', async () => {
    const all = await statuses('payments')
    // One may have been sent to the node that is down, and says nothing.
    expect(all.length).toBeGreaterThanOrEqual(1)
    for (const one of all) {
      expect(textAt(one, 'state', 'waiting', 'reason')).toBe('CrashLoopBackOff')
      expect(numberAt(one, 'restartCount')).toBeGreaterThan(2)
      expect(at(one, 'lastState', 'terminated', 'exitCode')).toBe(1)
    }
    expect((await reasons('payments')).join('\n')).toContain('BackOff: Back-off restarting failed container')
    const pods = await items(`${shop}/pods?labelSelector=app=payments`)
    const pod = pods.find((one) => listAt(one, 'status', 'containerStatuses').length > 0)
    const { text } = await sandbox.call(
      'GET',
      `${shop}/pods/${textAt(pod, 'metadata', 'name')}/log?previous=true`,
    )
    expect(text).toContain('panic: configuration is incomplete')
  })

  test('has an image that cannot be pulled', async () => {
    expect(textAt((await statuses('search'))[0], 'state', 'waiting', 'reason')).toBe('ImagePullBackOff')
    expect((await reasons('search')).join('\n')).toMatch(/Failed: Failed to pull image .*search:3.0.0-typo/)
  })

  test('has a node that nobody hears from, and its pods are made again elsewhere', async () => {
    const [lost, ...others] = await nodesWith('Ready', 'Unknown')
    expect(others).toEqual([])
    expect(taints(lost)).toContain('node.kubernetes.io/unreachable')
    sandbox.clock.advance(6 * 60_000)
    const name = textAt(lost, 'metadata', 'name')
    for (const app of ['storefront', 'catalog', 'cart']) {
      const pods = await items(`${shop}/pods?labelSelector=app=${app}`)
      const elsewhere = pods.filter((pod) => textAt(pod, 'spec', 'nodeName') !== name)
      expect(elsewhere.length).toBeGreaterThanOrEqual(2)
    }
  })

  test('has a node whose disk is full, and the scheduler avoids it', async () => {
    const [full, ...others] = await nodesWith('DiskPressure', 'True')
    expect(others).toEqual([])
    expect(taints(full)).toContain('node.kubernetes.io/disk-pressure')
    const events = await items(
      `/api/v1/events?fieldSelector=involvedObject.name=${textAt(full, 'metadata', 'name')}`,
    )
    expect(events.map((event) => textAt(event, 'reason'))).toContain('NodeHasDiskPressure')
  })

  test('has a pod that waits for want of memory', async () => {
    const [pod] = await items(`${shop}/pods?labelSelector=app=warehouse`)
    expect(textAt(pod, 'status', 'phase')).toBe('Pending')
    expect((await reasons('warehouse')).join('\n')).toMatch(
      /FailedScheduling: 0\/6 nodes .*Insufficient memory/,
    )
  })

  test('has a certificate that is about to expire', async () => {
    const { body } = await sandbox.call('GET', `${shop}/secrets/storefront-tls`)
    const certificate = new X509Certificate(Buffer.from(textAt(body, 'data', 'tls.crt') ?? '', 'base64'))
    const leftMs = Date.parse(certificate.validTo) - sandbox.clock.now()
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThan(4 * 24 * 3600 * 1000)
  })

  test('has a program that asks for more memory than it may have', async () => {
    expect(JSON.stringify(await statuses('recommender'))).toContain('OOMKilled')
  })
})

test('a scenario can be played twice, and one that there is not is refused', async () => {
  const before = (await items('/apis/apps/v1/namespaces/shop/deployments')).length
  expect((await play('healthy')).code).toBe(200)
  expect(await items('/apis/apps/v1/namespaces/shop/deployments')).toHaveLength(before)
  expect((await play('constructor')).code).toBe(400)
})

test('the large scenario is as large as it says; the bench plays it', () => {
  const { nodes, objects = [] } = scenarios['scale'] ?? {}
  expect(nodes?.count).toBe(1000)
  expect(objects.reduce((sum, object) => sum + (numberAt(object, 'spec', 'replicas') ?? 0), 0)).toBe(10_000)
})

describe('a scenario that does not fit', () => {
  const statusOf = async (of: StillSandbox) => {
    const { body } = await of.call('GET', '/sandbox/v1/status')
    return { nodes: numberAt(body, 'nodes'), objects: numberAt(body, 'objects') }
  }

  test.each([
    [
      'objects',
      { maxObjects: 10_240 },
      /take about 9\d,\d{3} objects; .* room for \d{1,2},\d{3} more of its 10,240/,
    ],
    [
      'bytes',
      { maxStoredBytes: 64 * 1024 ** 2 },
      /take about \d{3} MiB; .* room for 6\d MiB more of its 64 MiB/,
    ],
  ])('is refused by its %s with what fits, and nothing is made', async (_what, limits, message) => {
    const small = await testSandbox(limits)
    const before = await statusOf(small)
    const { code, body } = await small.call('POST', '/sandbox/v1/scenario', { name: 'scale' })
    expect(code).toBe(400)
    expect(textAt(body, 'message')).toMatch(message)
    expect(textAt(body, 'message')).toContain('10,')
    small.clock.advance(60_000)
    expect(await statusOf(small)).toEqual(before)
    // One that fits is still played.
    expect((await small.call('POST', '/sandbox/v1/scenario', { name: 'healthy' })).code).toBe(200)
    await small.remove()
  })

  test('one object too many is refused, and twice what it takes is enough, also to play it again', async () => {
    const open = await testSandbox()
    const before = (await statusOf(open)).objects ?? 0
    await open.call('POST', '/sandbox/v1/scenario', { name: 'healthy' })
    open.clock.advance(5 * 60_000)
    const made = ((await statusOf(open)).objects ?? 0) - before
    await open.remove()

    const small = await testSandbox({ maxObjects: before + made - 1 })
    expect((await small.call('POST', '/sandbox/v1/scenario', { name: 'healthy' })).code).toBe(400)
    await small.remove()

    const enough = await testSandbox({ maxObjects: before + 2 * made })
    for (let time = 0; time < 3; time++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await enough.call('POST', '/sandbox/v1/scenario', { name: 'healthy' })).code).toBe(200)
      enough.clock.advance(5 * 60_000)
    }
    await enough.remove()
  })
})
