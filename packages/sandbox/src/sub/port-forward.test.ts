import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
  const containers = [{ name: 'c', image: 'nginx' }]
  await sandbox.call('POST', podsPath, { metadata: { name: 'web' }, spec: { containers } })
  await sandbox.until(`${podsPath}/web`, (body) => textAt(body, 'status', 'phase') === 'Running')
})
afterAll(() => sandbox.remove())

/** What came on each channel until the server closed the connection. */
function heard(query: string, protocols: string[], frames: Buffer[]): Promise<Map<number, Buffer>> {
  const url = `${sandbox.url.replace('https', 'wss')}${podsPath}/web/portforward${query}`
  const headers = { authorization: `Bearer ${sandbox.adminToken}` }
  const socket = new WebSocket(url, protocols, { ca: sandbox.caPem, headers })
  const channels = new Map<number, Buffer>()
  return new Promise((done, fail) => {
    socket.once('open', () => {
      for (const frame of frames) socket.send(frame)
    })
    socket.on('message', (frame: Buffer) => {
      const to = frame[0] ?? 0
      channels.set(to, Buffer.concat([channels.get(to) ?? Buffer.alloc(0), frame.subarray(1)]))
    })
    socket.on('close', () => done(channels))
    socket.on('error', fail)
  })
}

const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

test.each(['v4.channel.k8s.io', 'v5.channel.k8s.io'])(
  'a port is forwarded in channels of %s',
  async (protocol) => {
    const channels = await heard(
      '?ports=80',
      [protocol],
      [Buffer.from(`\0${get.slice(0, 9)}`), Buffer.from(`\0${get.slice(9)}`)],
    )
    const data = channels.get(0) ?? Buffer.alloc(0)
    expect(data.readUInt16LE(0)).toBe(80)
    expect(data.subarray(2).toString()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Welcome to nginx/)
    // Nothing but the port on the channel for errors.
    expect(channels.get(1)).toEqual(data.subarray(0, 2))
  },
)

test('several ports go side by side, and one where nothing listens says so', async () => {
  const channels = await heard('?ports=81,80', ['v4.channel.k8s.io'], [Buffer.from(`\x02${get}`)])
  expect(channels.get(0)?.readUInt16LE(0)).toBe(81)
  expect(channels.get(1)?.subarray(2).toString()).toContain('failed to connect to localhost:81')
  expect(channels.get(2)?.toString()).toContain('Welcome to nginx')
})

test.each(['', '?ports=0', '?ports=http', '?ports=70000', `?ports=${Array(101).fill('80').join(',')}`])(
  'a query such as "%s" that names no usable ports is refused',
  async (query) => {
    const refused = heard(query, ['v4.channel.k8s.io'], [])
    await expect(refused).rejects.toThrow('400')
  },
)
