import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openWebSocket } from './socket-port.ts'

/** A server that takes one socket; frames are read and written by hand (RFC 6455, section 5.2). */
async function oneSocketServer() {
  const server = createServer()
  const accepted = new Promise<Socket>((resolve) => {
    server.on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(key).digest('base64')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      )
      resolve(socket as Socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, accepted, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws` }
}

test('text comes in, text goes out, and a code that pages may not send is moved to one that they may', async () => {
  const { server, accepted, url } = await oneSocketServer()
  const heard: string[] = []
  const opened = Promise.withResolvers<void>()
  const message = Promise.withResolvers<void>()
  const socket = openWebSocket(url, {
    onOpen: () => opened.resolve(),
    onMessage(text) {
      heard.push(text)
      message.resolve()
    },
    onClose: () => undefined,
  })
  const peer = await accepted
  await opened.promise
  peer.write(Buffer.from([0x82, 1, 7, 0x81, 2, ...Buffer.from('hi')]))
  await message.promise
  expect(heard).toEqual(['hi'])
  const frame = new Promise<Buffer>((resolve) => peer.once('data', resolve))
  socket.close(1008, 'no')
  const bytes = await frame
  const payload = bytes.subarray(6).map((byte, index) => byte ^ (bytes[2 + (index % 4)] ?? 0))
  expect(bytes[0]).toBe(0x88)
  expect(Buffer.from(payload).readUInt16BE()).toBe(4008)
  peer.destroy()
  server.close()
})

test('a server that is not there ends in a close, never in an exception', async () => {
  const closed = Promise.withResolvers<number>()
  openWebSocket('ws://127.0.0.1:1/ws', {
    onOpen: () => undefined,
    onMessage: () => undefined,
    onClose: (code) => closed.resolve(code),
  })
  expect(await closed.promise).toBe(1006)
})
