import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sendList } from './send-list.ts'

test('a long list arrives whole, small and large items alike', async () => {
  const texts = Array.from({ length: 3000 }, (_one, i) =>
    JSON.stringify(`${i} ${'ü'.repeat(i % 7)}${i === 1500 ? 'x'.repeat(1_000_000) : 'y'.repeat(200)}`),
  )
  const server = createServer((_request, response) => void sendList(response, '[', texts, ']')).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const reply = await fetch(`http://127.0.0.1:${port}/`)
  expect(await reply.text()).toBe(`[${texts.join(',')}]`)
  server.close()
})

test('a reader who stops reading stops the list, and one who leaves ends it', async () => {
  let taken = 0
  function* endless(): Generator<string> {
    for (;;) {
      taken += 1
      yield `"${'x'.repeat(10_000)}"`
    }
  }
  let isEnded: (done: true) => void = () => undefined
  const ended = new Promise<true>((done) => (isEnded = done))
  const server = createServer((_request, response) => {
    void sendList(response, '[', endless(), ']').then(() => isEnded(true))
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = get(`http://127.0.0.1:${port}/`)
  await once(request, 'response')
  request.destroy()
  expect(await ended).toBe(true)
  expect(taken).toBeLessThan(10_000)
  server.close()
})
