import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, listAt, numberAt, objectAt, textAt } from './json.ts'
import { startSandbox } from './sandbox.ts'
import {
  deployment,
  deploymentsPath,
  podsPath,
  send,
  temporaryDirectory,
  testSandbox,
  type StillSandbox,
} from './testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const isReady = (replicas: number) => (body: object) => numberAt(body, 'status', 'readyReplicas') === replicas

test('a deployment becomes pods that run on the workers, and a service finds them', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('web', 3))
  await sandbox.call('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  })
  await sandbox.until(`${deploymentsPath}/web`, isReady(3))
  const { body } = await sandbox.call('GET', `${podsPath}?labelSelector=app=web`)
  const nodes = new Set(listAt(body, 'items').map((pod) => textAt(pod, 'spec', 'nodeName')))
  expect(nodes).toEqual(new Set(['test-worker-1', 'test-worker-2']))
  const endpoints = await sandbox.until(
    '/api/v1/namespaces/default/endpoints/web',
    (found) => listAt(listAt(found, 'subsets')[0], 'addresses').length === 3,
  )
  expect(textAt(endpoints, 'kind')).toBe('Endpoints')
})

test('a rollout keeps enough pods available, and undoing it brings the old template back', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('roll', 4))
  await sandbox.until(`${deploymentsPath}/roll`, isReady(4))
  const patch = { spec: { template: { spec: { containers: [{ name: 'main', image: 'nginx:1.30' }] } } } }
  await sandbox.call('PATCH', `${deploymentsPath}/roll`, patch, {
    'content-type': 'application/strategic-merge-patch+json',
  })
  let least = 4
  const done = await sandbox.until(`${deploymentsPath}/roll`, (body) => {
    least = Math.min(least, numberAt(body, 'status', 'availableReplicas') ?? 0)
    return (
      numberAt(body, 'status', 'updatedReplicas') === 4 &&
      numberAt(body, 'status', 'replicas') === 4 &&
      isReady(4)(body)
    )
  })
  expect(least).toBeGreaterThanOrEqual(3)
  expect(at(done, 'metadata', 'annotations', 'deployment.kubernetes.io/revision')).toBe('2')
})

test('a pod that asks for more than there is says why it waits, and a new node lets it run', async () => {
  const big = {
    metadata: { name: 'big' },
    spec: { containers: [{ name: 'a', image: 'nginx', resources: { requests: { memory: '40Gi' } } }] },
  }
  await sandbox.call('POST', podsPath, big)
  const waiting = await sandbox.until(
    `${podsPath}/big`,
    (pod) => listAt(pod, 'status', 'conditions').length > 0,
  )
  const message = textAt(listAt(waiting, 'status', 'conditions')[0], 'message')
  expect(message).toMatch(/^0\/3 nodes are available: .*2 Insufficient memory/)
  await sandbox.addNodes([{ name: 'large', count: 1, memory: '64Gi' }])
  const pod = await sandbox.until(
    `${podsPath}/big`,
    (found) => textAt(found, 'status', 'phase') === 'Running',
  )
  expect(textAt(pod, 'spec', 'nodeName')).toBe('test-large-1')
})

test('the reasons why containers do not run are those of a real cluster', async () => {
  const make = (name: string, container: object) =>
    sandbox.call('POST', podsPath, {
      metadata: { name },
      spec: { containers: [{ name: 'a', ...container }] },
    })
  await make('typo', { image: 'doesnotexist/app' })
  await make('crash', { image: 'crash:1' })
  await make('unset', { image: 'nginx', envFrom: [{ configMapRef: { name: 'absent' } }] })
  const reason = (wanted: string) => (pod: object) =>
    textAt(listAt(pod, 'status', 'containerStatuses')[0], 'state', 'waiting', 'reason') === wanted
  await sandbox.until(`${podsPath}/typo`, reason('ImagePullBackOff'))
  await sandbox.until(`${podsPath}/crash`, reason('CrashLoopBackOff'))
  await sandbox.until(`${podsPath}/unset`, reason('CreateContainerConfigError'))
  await make('hungry', {
    image: 'polinux/stress',
    command: ['stress', '--vm-bytes', '250M'],
    resources: { limits: { memory: '100Mi' } },
  })
  await sandbox.until(`${podsPath}/hungry`, (pod) => JSON.stringify(pod).includes('OOMKilled'))
})

test('a node that is switched off is found out, and its pods start elsewhere', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('moving', 2))
  await sandbox.until(`${deploymentsPath}/moving`, isReady(2))
  await sandbox.call('POST', '/sandbox/v1/chaos', { node: 'test-worker-1', action: 'stop' })
  await sandbox.until('/api/v1/nodes/test-worker-1', (node) =>
    JSON.stringify(node).includes('node.kubernetes.io/unreachable'),
  )
  await sandbox.until(
    `${podsPath}?labelSelector=app=moving`,
    (list) =>
      listAt(list, 'items').filter(
        (pod) =>
          textAt(pod, 'spec', 'nodeName') !== 'test-worker-1' && textAt(pod, 'status', 'phase') === 'Running',
      ).length >= 2,
  )
  await sandbox.call('POST', '/sandbox/v1/chaos', { node: 'test-worker-1', action: 'start' })
  await sandbox.until('/sandbox/v1/status', (status) => status['nodes'] === status['ready'])
})

test('a namespace takes everything in it along', async () => {
  await sandbox.call('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } })
  await sandbox.call('POST', '/apis/apps/v1/namespaces/gone/deployments', { ...deployment('x', 2) })
  const held = '/api/v1/namespaces/gone/configmaps'
  await sandbox.call('POST', held, { metadata: { name: 'held', finalizers: ['example.com/hold'] } })
  const { body } = await sandbox.call('DELETE', '/api/v1/namespaces/gone')
  expect(textAt(body, 'status', 'phase')).toBe('Terminating')
  const refused = await sandbox.call('POST', '/api/v1/namespaces/gone/configmaps', {
    metadata: { name: 'late' },
  })
  expect(refused.code).toBe(403)
  await sandbox.call(
    'PATCH',
    `${held}/held`,
    { metadata: { finalizers: null } },
    { 'content-type': 'application/merge-patch+json' },
  )
  await sandbox.until('/api/v1/namespaces/gone', (found) => found['code'] === 404)
  await sandbox.until('/api/v1/pods', (list) => !JSON.stringify(list).includes('"namespace":"gone"'))
})

test('pods over the quota are refused without a storm of writes, and come once there is room', async () => {
  await sandbox.call('POST', '/api/v1/namespaces', { metadata: { name: 'tight' } })
  const quota = '/api/v1/namespaces/tight/resourcequotas'
  await sandbox.call('POST', quota, { metadata: { name: 'few' }, spec: { hard: { pods: '1' } } })
  const sets = '/apis/apps/v1/namespaces/tight/deployments'
  await sandbox.call('POST', sets, deployment('wide', 2))
  const refused = await sandbox.until(`${sets}/wide`, (body) =>
    JSON.stringify(body).includes('exceeded quota: few'),
  )
  const version = Number(textAt(refused, 'metadata', 'resourceVersion'))
  await sandbox.call(
    'PATCH',
    `${quota}/few`,
    { spec: { hard: { pods: '2' } } },
    { 'content-type': 'application/merge-patch+json' },
  )
  const done = await sandbox.until(`${sets}/wide`, isReady(2))
  expect(Number(textAt(done, 'metadata', 'resourceVersion')) - version).toBeLessThan(200)
})

test('the add-ons are installed and ready when the promise resolves', async () => {
  const installed = sandbox.installAddons()
  sandbox.clock.advance(60_000)
  await installed
  const { body } = await sandbox.call('GET', '/apis/apps/v1/namespaces/kube-system/deployments/coredns')
  expect(numberAt(body, 'status', 'readyReplicas')).toBe(2)
})

test('only the admin token reaches what is not Kubernetes', async () => {
  const { code } = await sandbox.call('GET', '/sandbox/v1/status', undefined, {
    authorization: 'Bearer wrong',
  })
  expect(code).toBe(401)
  const odd = await sandbox.call('POST', '/sandbox/v1/nodes', { groups: [{ name: 'No!', count: 1 }] })
  expect(odd.code).toBe(400)
})

test('state, tokens and port survive a restart, and what ran still runs', async () => {
  const first = await testSandbox()
  await first.call('POST', deploymentsPath, deployment('kept', 2))
  await first.until(`${deploymentsPath}/kept`, isReady(2))
  const before = await first.call('GET', podsPath)
  await first.stop()
  const second = await testSandbox({ dir: first.dir, clock: first.clock })
  const after = await second.call('GET', podsPath)
  expect(second.url).toBe(first.url)
  expect(second.adminToken).toBe(first.adminToken)
  expect(listAt(after.body, 'items')).toEqual(listAt(before.body, 'items'))
  const old = await second.call('GET', `${podsPath}?watch=1&resourceVersion=5`)
  expect(old.text).toContain('"reason":"Expired"')
  await second.remove()
})

function startChild(dir: string, port = 0): Promise<{ child: ChildProcess; url: string }> {
  const main = join(import.meta.dirname, 'main.js')
  const child = spawn(process.execPath, [main, '--dir', dir, '--nodes', '[]', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((done, fail) => {
    let complaint = ''
    child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()))
    child.stdout?.once('data', (line: Buffer) => {
      const ready: unknown = JSON.parse(line.toString())
      done({ child, url: textAt(ready, 'url') ?? '' })
    })
    child.once('exit', (code) => fail(new Error(`exit ${code}: ${complaint}`)))
  })
}

const ended = (child: ChildProcess) => new Promise((done) => child.once('exit', done))

test('a kill at any moment loses no acknowledged write, and the sandbox starts again', async () => {
  const dir = temporaryDirectory()
  const known: string[] = []
  for (let round = 0; round < 2; round++) {
    const { child, url } = await startChild(dir)
    const { readFileSync } = await import('node:fs')
    const identity: unknown = JSON.parse(readFileSync(join(dir, 'identity.json'), 'utf8'))
    const target = {
      ...sandbox,
      url,
      caPem: textAt(identity, 'caPem') ?? '',
      adminToken: textAt(identity, 'adminToken') ?? '',
    }
    const { body } = await send(target, 'GET', '/api/v1/namespaces/default/configmaps?limit=500')
    const names = new Set(listAt(body, 'items').map((item) => textAt(item, 'metadata', 'name')))
    expect(known.filter((name) => !names.has(name))).toEqual([])
    const gone = ended(child)
    for (let i = 0; i < 60; i++) {
      const name = `r${round}-${i}`
      if (i === 50) setImmediate(() => child.kill('SIGKILL'))
      const reply = await send(target, 'POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name },
      }).catch(() => undefined)
      if (reply?.code === 201) known.push(name)
    }
    await gone
  }
  expect(known.length).toBeGreaterThanOrEqual(100)
  const { child } = await startChild(dir)
  const gone = ended(child)
  child.kill('SIGTERM')
  expect(await gone).toBe(0)
  rmSync(dir, { recursive: true, force: true })
})

test('a directory in use, a port that is taken and a file in the way are refused with one sentence', async () => {
  await expect(startSandbox({ dir: sandbox.dir })).rejects.toThrow(/in use/)
  await expect(startChild(sandbox.dir)).rejects.toThrow(`is in use by process ${process.pid}`)
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => blocker.once('listening', done))
  const { port } = blocker.address() as AddressInfo
  const dir = temporaryDirectory()
  await expect(startChild(dir, port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`)
  blocker.close()
  await expect(startChild('/proc/nowhere')).rejects.toThrow(/exit 1/)
  rmSync(dir, { recursive: true, force: true })
})

test('two sandboxes in one process know nothing of each other', async () => {
  const other = await testSandbox({ name: 'other', nodes: [] })
  await other.call('POST', '/api/v1/namespaces', { metadata: { name: 'mine' } })
  expect((await sandbox.call('GET', '/api/v1/namespaces/mine')).code).toBe(404)
  expect((await send({ ...other, adminToken: sandbox.adminToken }, 'GET', '/api/v1/nodes')).code).toBe(401)
  expect(objectAt((await other.call('GET', '/sandbox/v1/status')).body)).toMatchObject({
    name: 'other',
    nodes: 0,
  })
  await other.remove()
})
