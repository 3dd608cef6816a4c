import { connect as connectTcp, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { connect, openSocket } from '../live/testing/live-server.ts'
import { anonymousLimits } from './anonymous-limits.ts'

// Slower than the product's, so that nothing comes back while the test runs.
const refusalsPerAddress = { burst: 300, perSecond: 0.1 }
const upgradesPerAddress = { burst: 300, perSecond: 0.1 }
const app = await testApp(
  { trustedProxies: ['127.0.0.1'] },
  { anonymousLimits: { ...anonymousLimits, refusalsPerAddress, upgradesPerAddress } },
)
const { ask, given } = app
const socketUrl = `${app.url.replace('http', 'ws')}/ws`
const from = (address: string) => ({ 'x-forwarded-for': address })

async function statusesOf(
  count: number,
  send: () => Promise<{ status: number }>,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (let sent = 0; sent < count; sent += 50) {
    const replies = await Promise.all(Array.from({ length: 50 }, send))
    for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return counts
}

test('1,500 made-up tokens from one address meet its limit, and nobody else does', async () => {
  const [ada, bob] = [await given.user(), await given.user()]
  const theirs = from('203.0.113.1')
  const me = (token: string, headers: Record<string, string>) =>
    ask('GET', '/api/auth/me', { token, headers })
  // Somebody who works at that address, and was there before.
  expect((await me(ada.token, theirs)).status).toBe(200)

  let n = 0
  const counts = await statusesOf(1_500, () => me(`bey_session_madeup${(n += 1)}`, theirs))
  expect(counts.get(401)).toBeLessThan(360)
  expect(counts.get(429)).toBeGreaterThan(1_140)
  const refused = await me('bey_session_another', theirs)
  expect([refused.body.code, Number(refused.headers.get('retry-after'))]).toEqual([
    'rate_limited',
    expect.toSatisfy((seconds: number) => seconds > 0),
  ])
  expect((await me(ada.token, theirs)).status).toBe(200)
  expect((await me(bob.token, from('203.0.113.2'))).status).toBe(200)
})

test('the cluster proxy and paths that do not exist meet it as well', async () => {
  const proxied = await statusesOf(400, () =>
    ask('GET', '/api/kubernetes/clusters/1/proxy/api', {
      token: 'bey_kube_madeup',
      headers: from('203.0.113.3'),
    }),
  )
  expect(proxied.get(429)).toBeGreaterThan(0)
  const refused = await ask('GET', '/api/kubernetes/clusters/1/proxy/api', { headers: from('203.0.113.3') })
  expect(refused.body).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', code: 429 })
  const unrouted = await statusesOf(400, () => ask('GET', '/api/nothing', { headers: from('203.0.113.4') }))
  expect(unrouted.get(429)).toBeGreaterThan(0)
})

test('sockets that fail to authenticate meet it, and a member at the same address gets in', async () => {
  const ada = await given.user()
  const theirs = from('203.0.113.5')
  await ask('GET', '/api/auth/me', { token: ada.token, headers: theirs })
  await statusesOf(400, () => ask('GET', '/api/auth/me', { token: 'bey_session_madeup', headers: theirs }))
  const stranger = await openSocket(socketUrl, theirs)
  stranger.send({ type: 'AUTHENTICATE', payload: { token: 'bey_session_madeup', organizationId: 1 } })
  expect((await stranger.closed()).code).toBe(1013)
  const socket = await openSocket(socketUrl, theirs)
  expect((await socket.authenticate(ada.token, ada.organizationId)).payload).toMatchObject({ success: true })
  socket.socket.close()
})

test('1,100 sockets that say nothing lock nobody out of live updates', async () => {
  const ada = await given.user()
  const anonymousClients: Awaited<ReturnType<typeof openSocket>>[] = []
  const open = (n: number) => openSocket(socketUrl, from(`198.51.${n >> 8}.${n & 255}`))
  for (let n = 0; n < 1_100; n += 50)
    anonymousClients.push(...(await Promise.all(Array.from({ length: 50 }, (_none, i) => open(n + i)))))
  const elsewhere = await connect(socketUrl, ada)
  expect((await elsewhere.frame('AUTHENTICATED')).payload).toMatchObject({ success: true })
  // At an address of the strangers', too, of whom those that have waited for longest have gone.
  const near = await openSocket(socketUrl, from('198.51.0.1'))
  expect((await near.authenticate(ada.token, ada.organizationId)).payload).toMatchObject({ success: true })
  // For want of room; where a busy machine was slower than that, for the time to say who it is.
  expect([1013, 1008]).toContain((await anonymousClients[0]?.closed())?.code)
  for (const each of [...anonymousClients, elsewhere, near]) each.socket.terminate()
})

test('one address opens so many sockets and no more', async () => {
  const theirs = from('203.0.113.6')
  let refusals = 0
  for (let n = 0; n < 320; n += 1) {
    const socket = await openSocket(socketUrl, theirs).catch((error: Error) => {
      expect(error.message).toBe('HTTP 429')
      refusals += 1
    })
    socket?.socket.terminate()
  }
  expect(refusals).toBeGreaterThan(0)
})

test('a client that never closes its half of a refused connection keeps no descriptor', async () => {
  const halfOpen = (text: string) =>
    new Promise<Socket>((resolve) => {
      const socket = connectTcp({ port: app.port, host: '127.0.0.1', allowHalfOpen: true }, () => {
        socket.write(text)
        socket.once('data', () => resolve(socket))
      })
      socket.on('error', () => undefined)
    })
  const upgrade = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n${more}\r\n`
  const sockets = await Promise.all([
    halfOpen('this is not HTTP\r\n\r\n'),
    halfOpen(upgrade('/nowhere')),
    halfOpen(upgrade('/ws', 'origin: https://elsewhere.example\r\n')),
  ])
  // Writing goes well until the other side is gone, not merely finished.
  for (const socket of sockets) {
    await vi.waitFor(() => {
      socket.write('x')
      expect(socket.destroyed).toBe(true)
    }, 60_000)
  }
})
