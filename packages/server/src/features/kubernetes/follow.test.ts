import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { GivenUser } from '../../testing/given.ts'
import { healthKinds } from './health/health-kinds.ts'
import { fakeCluster } from './testing/fake-cluster.ts'
import { runningApp } from './testing/running-app.ts'
import { soonMs } from '../../testing/soon.ts'

type Frame = { type: string; payload?: { success?: boolean }; data?: Record<string, unknown> }

const fake = await fakeCluster()
afterAll(() => fake.stop())
const { app, given, cluster, call } = await runningApp()
const member = await given.user({ role: 'MEMBER' })
const prod = await cluster(member.organizationId, fake.connection)
fake.answer = (request, response) => {
  if (request.url !== '/apis/metrics.k8s.io/v1beta1/nodes') return false
  const items = [{ metadata: { name: 'n1' }, usage: { cpu: '250m', memory: '1Gi' } }]
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }))
  return true
}

async function follower(user: GivenUser) {
  const socket = new WebSocket(`ws://localhost:${app.port}/ws`)
  const frames: Frame[] = []
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame))
  await once(socket, 'open')
  const send = (frame: object) => socket.send(JSON.stringify(frame))
  send({ type: 'AUTHENTICATE', payload: { token: user.token, organizationId: user.organizationId } })
  await expect.poll(() => frames.map(({ type }) => type)).toContain('AUTHENTICATED')
  async function subscribe(kind: string, clusterId: number) {
    send({ type: 'COMMAND', id: kind, payload: { type: 'SUBSCRIBE', payload: { kind, clusterId } } })
    await expect.poll(() => frames.find(({ type }) => type === 'COMMAND_RESULT')).toBeDefined()
    return frames.find(({ type }) => type === 'COMMAND_RESULT')?.payload?.success
  }
  const of = (type: string) => frames.filter((frame) => frame.type === type).map(({ data }) => data)
  return { socket, subscribe, of }
}

test('a change made with kubectl’s own request reaches an open page within a second, and the page then reads it', async () => {
  fake.put('/api/v1/pods', { metadata: { name: 'one', namespace: 'a', uid: '1' } })
  const { socket, subscribe, of } = await follower(member)
  expect(await subscribe('cluster_resources', prod.id)).toBe(true)
  // Each kind is announced once it is listed; what comes after that is what changes.
  const announced = () => [...new Set(of('CLUSTER_RESOURCE_UPDATE').flatMap((data) => data?.['kinds']))]
  await expect.poll(announced).toEqual(expect.arrayContaining([...healthKinds]))
  await expect.poll(() => fake.begun.watches).toContain('/api/v1/pods')
  // Other kinds are followed as well, and their first lists may still be arriving.
  const podChanges = () =>
    of('CLUSTER_RESOURCE_UPDATE').filter(
      (data) => data?.['clusterId'] === prod.id && (data['kinds'] as string[]).includes('pods'),
    ).length
  const before = podChanges()
  const began = performance.now()
  fake.put('/api/v1/pods', { metadata: { name: 'two', namespace: 'a', uid: '2' } })
  await expect.poll(podChanges, { interval: 10 }).toBeGreaterThan(before)
  expect(performance.now() - began).toBeLessThan(soonMs)
  const url = `/api/kubernetes/clusters/${prod.id}/pods`
  const reply = await call('GET', url, { token: member.token, organizationId: member.organizationId })
  expect(reply.json()).toMatchObject({ total: 2, isLive: true })
  socket.close()
})

test('metrics come to who follows them', async () => {
  const { socket, subscribe, of } = await follower(member)
  expect(await subscribe('cluster_metrics', prod.id)).toBe(true)
  await expect
    .poll(() => of('CLUSTER_METRICS_UPDATE'))
    .toMatchObject([
      { clusterId: prod.id, nodes: [{ name: 'n1', cpuMillicores: 250, memoryBytes: 2 ** 30 }] },
    ])
  expect(of('METRICS_STREAMING_STARTED')).toEqual([{ clusterId: prod.id }])
  socket.close()
})

test('another organization’s cluster cannot be followed', async () => {
  const stranger = await given.user()
  const { socket, subscribe } = await follower(stranger)
  expect(await subscribe('cluster_resources', prod.id)).toBe(false)
  socket.close()
})

test('an exec goes through the HTTPS listener both ways, beside the live socket', async () => {
  const socket = connectTls({ port: app.tlsPort, host: 'localhost', rejectUnauthorized: false })
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  const path = `/api/kubernetes/clusters/${prod.id}/proxy/api/v1/namespaces/a/pods/one/exec?command=sh&stdin=1`
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${member.token}\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`,
  )
  await expect.poll(() => text).toContain('hello ')
  socket.write('there')
  await expect.poll(() => text).toContain('hello there')
  expect(text).toMatch(/^HTTP\/1.1 101[\s\S]*upgrade: SPDY\/3.1/)
  socket.destroy()
})
