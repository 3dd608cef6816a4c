import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { fakeClock } from '../../../../testing/clock.ts'
import { ConnectionProblem } from '../../../../platform/outbound/connection-problem.ts'
import { hubbleServer, packet } from '../testing/hubble-server.ts'
import { followRelay, mostFlowsPerSecond, type OpenPort } from './follow-relay.ts'

const patience = { timeout: 60_000, interval: 10 }
const hubble = await hubbleServer()
const snapshot = { pods: [], namespaces: [], services: [], nodes: [], policies: [], databases: [] }
const end = (name: string, ip: string) => ({ namespace: 'shop', pod_name: name, ip })
const [web, orders] = [end('web', '10.0.0.1'), end('orders', '10.0.0.2')]
const flow = (sourcePort: number) => packet({ from: web, to: orders, port: 5432, sourcePort })

const openPort: OpenPort = async (_organizationId, _clusterId, { port }) => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } catch (error) {
    throw new ConnectionProblem('The connection was refused.', { cause: error })
  }
  return socket
}

function follow(...ports: number[]) {
  const clock = fakeClock()
  const pods = ports.map((port, at) => ({ namespace: 'kube-system', pod: `relay-${at}`, port }))
  const following = followRelay({ openPort, clock }, 1, 1, pods)
  afterAll(() => following.stop())
  return { clock, following, ways: () => following.counts.list(snapshot) }
}

/** A port whose connections are treated so. */
async function portThat(treats: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    treats(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  return (server.address() as AddressInfo).port
}

test('where a pod of the relay refuses, hangs up or stays silent, the next one is asked at once', async () => {
  hubble.relay.remembered = [flow(40_000)]
  const hangsUp = await portThat((socket) => socket.destroy())
  const { port: refusing } = await closedPort()
  const quick = follow(refusing, hangsUp, hubble.port)
  await quick.following.started
  expect(quick.following).toMatchObject({ hasAnswered: true, problem: undefined, endedAtMs: undefined })
  expect(quick.ways()).toHaveLength(1)

  const silent = await portThat(() => undefined)
  const slow = follow(silent, hubble.port)
  slow.clock.advance(10_000)
  await slow.following.started
  expect(slow.following).toMatchObject({ hasAnswered: true, problem: undefined })

  const none = follow(refusing, silent)
  await vi.waitFor(() => {
    none.clock.advance(10_000)
    expect(none.following.endedAtMs).toBeDefined()
  }, patience)
  expect(none.following).toMatchObject({
    hasAnswered: false,
    problem: 'Hubble Relay in relay-1 does not answer.',
  })
})

test('a relay that lists without end is read no further than twice of what it was asked for', async () => {
  hubble.relay.remembered = Array.from({ length: 20_000 }, (_, at) => flow(10_000 + at))
  const { clock, following, ways } = follow(hubble.port)
  await vi.waitFor(() => expect(following.behindAtMs).toBe(clock.monotonicMs()), patience)
  clock.advance(1_000)
  await following.started
  expect(following.hasAnswered).toBe(true)
  expect(following.counts.forwarded).toBe(8_000)
  expect(ways()).toMatchObject([{ count: 8_000 }])
})

test('of more packets in a second than are counted the rest waits, and the counts stay right', async () => {
  hubble.relay.remembered = []
  const { clock, following, ways } = follow(hubble.port)
  await following.started
  const sent = 2 * mostFlowsPerSecond + 1_000
  for (let at = 0; at < sent; at += 1) hubble.send(flow(10_000 + at))
  for (const counted of [mostFlowsPerSecond, 2 * mostFlowsPerSecond, sent]) {
    await vi.waitFor(() => expect(following.counts.forwarded).toBe(counted), patience)
    if (counted === sent) break
    await vi.waitFor(() => expect(following.behindAtMs).toBe(clock.monotonicMs()), patience)
    clock.advance(1_000)
  }
  expect(ways()).toMatchObject([{ count: sent }])
})

async function closedPort(): Promise<{ port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return { port }
}
