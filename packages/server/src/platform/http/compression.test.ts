import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createAnonymousClients } from './anonymous-limits.ts'
import { createHttp } from './server.ts'

const http = await createHttp({
  version: '0.1.0',
  log: createLog({ level: 'fatal' }),
  trustsProxy: () => false,
  anonymousClients: createAnonymousClients(realClock),
  isStopping: () => false,
  consoleDir: '/nowhere',
  endpoints: [],
})
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, title: `cluster-${id}` }))
for (const count of [5, 200, 20_000]) http.get(`/rows/${count}`, () => rows(count))
beforeAll(() => http.ready())
afterAll(() => http.close())

const ask = (count: number, acceptEncoding?: string) =>
  http.inject({
    url: `/rows/${count}`,
    headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
  })

test.each([
  ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
])(
  'a browser that takes %s gets %s, whether the list is short or long',
  async (accepted, sent, decompress) => {
    for (const count of [200, 20_000]) {
      const reply = await ask(count, accepted)
      expect(reply.headers).toMatchObject({ 'content-encoding': sent, vary: 'accept-encoding' })
      expect(JSON.parse(decompress(reply.rawPayload).toString())).toEqual(rows(count))
      expect(reply.rawPayload.length).toBeLessThan(JSON.stringify(rows(count)).length / 3)
    }
  },
)

test('what fits into a packet, and what is asked for without an encoding, goes as it is', async () => {
  for (const reply of [await ask(5, 'gzip, deflate, br, zstd'), await ask(200)]) {
    expect(reply.headers['content-encoding']).toBeUndefined()
  }
})
