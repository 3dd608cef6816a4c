import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { listAt, textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [{ name: 'only', count: 1, cpu: '2', memory: '4Gi' }] })
})
afterAll(() => sandbox.remove())

const strategic = { 'content-type': 'application/strategic-merge-patch+json' }

function pod(name: string, cpu: string, priorityClassName?: string): object {
  return {
    metadata: { name },
    spec: {
      ...(priorityClassName ? { priorityClassName } : {}),
      containers: [{ name: 'a', image: 'nginx', resources: { requests: { cpu } } }],
    },
  }
}

const isRunning = (body: object) => textAt(body, 'status', 'phase') === 'Running'

test('an important pod takes the place of a less important one, and a patient one waits', async () => {
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses'
  await sandbox.call('POST', classes, { metadata: { name: 'high' }, value: 1000 })
  await sandbox.call('POST', classes, {
    metadata: { name: 'patient' },
    value: 2000,
    preemptionPolicy: 'Never',
  })
  await sandbox.call('POST', podsPath, pod('low-1', '800m'))
  await sandbox.call('POST', podsPath, pod('low-2', '800m'))
  await sandbox.until(`${podsPath}/low-2`, isRunning)
  await sandbox.call('POST', podsPath, pod('waiting', '1', 'patient'))
  sandbox.clock.advance(10_000)
  expect(isRunning((await sandbox.call('GET', `${podsPath}/low-1`)).body)).toBe(true)
  await sandbox.call('DELETE', `${podsPath}/waiting`)
  await sandbox.call('POST', podsPath, pod('vip', '1', 'high'))
  const nominated = await sandbox.call('GET', `${podsPath}/vip`)
  expect(textAt(nominated.body, 'status', 'nominatedNodeName')).toBe('test-only-1')
  await sandbox.until(`${podsPath}/vip`, isRunning)
  const { body } = await sandbox.call('GET', podsPath)
  expect(listAt(body, 'items').map((one) => textAt(one, 'metadata', 'name'))).toHaveLength(2)
  const events = await sandbox.call('GET', '/api/v1/namespaces/default/events?fieldSelector=reason=Preempted')
  const [event] = listAt(events.body, 'items')
  expect(textAt(event, 'message')).toMatch(/^Preempted by pod \S+ on node test-only-1$/)
})

function container(name: string, more: object = {}): object {
  return { name, image: 'busybox', stdin: true, tty: true, targetContainerName: 'a', ...more }
}

function attach(query: string): Promise<string> {
  const url = `${sandbox.url.replace('https', 'wss')}${podsPath}/vip/${query}`
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], {
    ca: sandbox.caPem,
    headers: { authorization: `Bearer ${sandbox.adminToken}` },
  })
  return new Promise((done, fail) => {
    let text = ''
    socket.on('open', () => socket.send(Buffer.from('\u0000hostname\nexit 3\n')))
    socket.on('message', (data: Buffer) => (text += data.subarray(1).toString()))
    socket.on('close', () => done(text))
    socket.on('error', fail)
  })
}

test('an ephemeral container starts beside the others, takes commands, and ends as it was left', async () => {
  const path = `${podsPath}/vip/ephemeralcontainers`
  const added = await sandbox.call(
    'PATCH',
    path,
    { spec: { ephemeralContainers: [container('debug')] } },
    strategic,
  )
  expect(added.code).toBe(200)
  await sandbox.until(`${podsPath}/vip`, (body) =>
    JSON.stringify(listAt(body, 'status', 'ephemeralContainerStatuses')).includes('"running"'),
  )
  expect((await sandbox.call('GET', `${podsPath}/vip/log?container=debug`)).code).toBe(200)
  expect(await attach('exec?command=hostname&stdout=true&container=debug')).toContain('vip\n')
  expect(await attach('attach?stdin=true&stdout=true&tty=true&container=debug')).toContain('vip\r\n')
  sandbox.clock.settle()
  const ended = await sandbox.until(`${podsPath}/vip`, (body) =>
    JSON.stringify(body).includes('"exitCode":3'),
  )
  expect(textAt(ended, 'status', 'phase')).toBe('Running')
  expect(
    textAt(listAt(ended, 'status', 'ephemeralContainerStatuses')[0], 'state', 'terminated', 'reason'),
  ).toBe('Error')
})

test('an ephemeral container cannot be changed or taken away, nor anything else through that door', async () => {
  const path = `${podsPath}/vip/ephemeralcontainers`
  const { body: before } = await sandbox.call('GET', `${podsPath}/vip`)
  const changed = { spec: { ephemeralContainers: [container('debug', { image: 'alpine' })] } }
  expect((await sandbox.call('PATCH', path, changed, strategic)).code).toBe(422)
  expect((await sandbox.call('PUT', path, { ...before, spec: { containers: [] } })).code).toBe(422)
  const probed = {
    spec: { ephemeralContainers: [container('b', { readinessProbe: { exec: { command: ['a'] } } })] },
  }
  expect((await sandbox.call('PATCH', path, probed, strategic)).code).toBe(422)
  const sneaky = {
    spec: { containers: [{ name: 'a', image: 'other' }], ephemeralContainers: [container('debug')] },
  }
  expect((await sandbox.call('PATCH', path, sneaky, strategic)).code).toBe(200)
  expect((await sandbox.call('GET', `${podsPath}/vip`)).body).toEqual(before)
})

test('listening to a container ends when the container does', async () => {
  const spec = {
    restartPolicy: 'Never',
    containers: [{ name: 'a', image: 'busybox', command: ['sleep', '20'] }],
  }
  await sandbox.call('POST', podsPath, { metadata: { name: 'short' }, spec })
  await sandbox.until(`${podsPath}/short`, isRunning)
  const url = `${sandbox.url.replace('https', 'wss')}${podsPath}/short/attach?stdout=true`
  const headers = { authorization: `Bearer ${sandbox.adminToken}` }
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], { ca: sandbox.caPem, headers })
  const left = new Promise<void>((done) => socket.once('close', () => done()))
  await new Promise<void>((done) => socket.once('message', () => done()))
  sandbox.clock.advance(30_000)
  await left
})
