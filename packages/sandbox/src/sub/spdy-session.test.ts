import { once } from 'node:events'
import { request } from 'node:https'
import type { Duplex } from 'node:stream'
import { constants, createDeflate } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'
import { spdyProtocol } from './spdy-session.ts'
import { dictionary } from './spdy.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
  const containers = [{ name: 'c', image: 'busybox', args: ['sort'], stdin: true, stdinOnce: true }]
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'box' },
    spec: { restartPolicy: 'Never', containers },
  })
  await sandbox.until(`${podsPath}/box`, (body) => textAt(body, 'status', 'phase') === 'Running')
})
afterAll(() => sandbox.remove())

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const sized = (text: string) => Buffer.concat([uint32(Buffer.byteLength(text)), Buffer.from(text)])

/** The client's side, as far as a session needs it. */
function spdyClient(socket: Duplex) {
  const deflate = createDeflate({ dictionary, flush: constants.Z_SYNC_FLUSH })
  const texts = new Map<number, string>()
  const ended = new Set<number>()
  let buffer = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    buffer = Buffer.concat([buffer, bytes])
    while (buffer.length >= 8 && buffer.length >= 8 + (buffer.readUInt32BE(4) & 0xffffff)) {
      const length = buffer.readUInt32BE(4) & 0xffffff
      const isData = ((buffer[0] ?? 0) & 0x80) === 0
      const id = buffer.readUInt32BE(0) & 0x7fffffff
      if (isData) {
        texts.set(id, (texts.get(id) ?? '') + buffer.subarray(8, 8 + length).toString())
        if (((buffer[4] ?? 0) & 1) === 1) ended.add(id)
      }
      buffer = buffer.subarray(8 + length)
    }
  })
  return {
    texts,
    ended,
    async open(id: number, type: string) {
      const block = Buffer.concat([uint32(1), sized('streamtype'), sized(type)])
      const packed = once(deflate, 'data') as Promise<[Buffer]>
      deflate.write(block)
      const [header] = await packed
      const payload = Buffer.concat([uint32(id), uint32(0), Buffer.from([0, 0]), header])
      socket.write(Buffer.concat([Buffer.from([0x80, 3, 0, 1]), uint32(payload.length), payload]))
    },
    send(id: number, text: string, isLast = false) {
      socket.write(
        Buffer.concat([
          uint32(id),
          uint32(((isLast ? 1 : 0) << 24) | Buffer.byteLength(text)),
          Buffer.from(text),
        ]),
      )
    },
  }
}

async function upgraded(path: string, protocols: string) {
  const asked = request(`${sandbox.url}${podsPath}${path}`, {
    method: 'POST',
    ca: sandbox.caPem,
    headers: {
      authorization: `Bearer ${sandbox.adminToken}`,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': protocols,
    },
  })
  asked.end()
  const [answer, socket] = (await once(asked, 'upgrade')) as [{ headers: Record<string, string> }, Duplex]
  return { protocol: answer.headers['x-stream-protocol-version'], socket }
}

test('a command reads its input and ends with a status over SPDY', async () => {
  const { protocol, socket } = await upgraded(
    '/box/exec?command=sh&command=-c&command=cat;%20echo%20oops%20>%262;%20exit%203&stdin=true&stdout=true&stderr=true',
    'v4.channel.k8s.io, v3.channel.k8s.io',
  )
  expect(protocol).toBe('v4.channel.k8s.io')
  const client = spdyClient(socket)
  const closed = once(socket, 'close')
  for (const [index, type] of ['error', 'stdin', 'stdout', 'stderr'].entries())
    await client.open(2 * index + 1, type)
  client.send(3, 'hel')
  client.send(3, 'lo\n')
  client.send(3, '', true)
  await closed
  expect(client.texts.get(5)).toBe('hello\n')
  expect(client.texts.get(7)).toBe('oops\n')
  expect(JSON.parse(client.texts.get(1) ?? '')).toMatchObject({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: '3' }] },
  })
  expect([...client.ended].toSorted((a, b) => a - b)).toEqual([1, 5, 7])
})

test('anyone who speaks an older protocol hears nothing of an end that went well, and a sentence of any other', async () => {
  for (const [command, text] of [
    ['true', undefined],
    ['false', 'command terminated with non-zero exit code: exit status 1'],
  ] as const) {
    const { protocol, socket } = await upgraded(
      `/box/exec?command=${command}&stdout=true`,
      'v2.channel.k8s.io',
    )
    expect(protocol).toBe('v2.channel.k8s.io')
    const client = spdyClient(socket)
    const closed = once(socket, 'close')
    await client.open(1, 'error')
    await client.open(3, 'stdout')
    await closed
    expect(client.texts.get(1) || undefined).toBe(text)
  }
})

test('a program gets what is sent to it by who attaches over SPDY', async () => {
  const { socket } = await upgraded('/box/attach?stdin=true&stdout=true&stderr=true', 'v4.channel.k8s.io')
  const client = spdyClient(socket)
  const closed = once(socket, 'close')
  for (const [index, type] of ['error', 'stdin', 'stdout', 'stderr'].entries())
    await client.open(2 * index + 1, type)
  client.send(3, 'b\na\n', true)
  await closed
  expect(client.texts.get(5)).toBe('a\nb\n')
})

test('the best protocol that both know is chosen', () => {
  expect(spdyProtocol('v2.channel.k8s.io, v4.channel.k8s.io')).toBe('v4.channel.k8s.io')
  expect(spdyProtocol(['channel.k8s.io', 'v3.channel.k8s.io'])).toBe('v3.channel.k8s.io')
  expect(spdyProtocol(undefined)).toBe('channel.k8s.io')
  expect(spdyProtocol('v9.channel.k8s.io')).toBeUndefined()
})
