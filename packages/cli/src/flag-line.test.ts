import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { flagLine } from '@bey/contract'
import { run } from './run.ts'
import { pipedTerminal } from './testing/piped-terminal.ts'

const bodies: unknown[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    bodies.push(JSON.parse(body))
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end('{"id":"1"}')
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => void server.close())

test('a line with a flag for each field sends the same body when a shell reads it', async () => {
  const body = {
    provider: 'embedded',
    name: 'orders',
    description: "it's $HOME\nof `orders`",
    isProtected: true,
    parameters: { work_mem: '4MB', DateStyle: "ISO, 'DMY'" },
    extensions: ['citext', 'hstore'],
    diskQuotaBytes: 2 ** 31,
    backups: {
      schedule: '0 2 * * *',
      retentionDays: 14,
      targetId: null,
      checks: [{ name: 'a', sql: 'select 1' }],
    },
    allowList: [{ cidr: '10.20.0.0/16', about: 'office' }],
  }
  const line = flagLine('databases.create', body)
  const words = execFileSync('sh', ['-c', `bey() { printf '%s\\0' "$@"; }\n${line}`], { encoding: 'utf8' })
  const { terminal, written } = pipedTerminal('')
  // A server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo
  const env = {
    HOME: '/nowhere',
    BEY_URL: `http://127.0.0.1:${port}`,
    BEY_TOKEN: 'token',
    BEY_ORGANIZATION: '1',
  }
  const signal = new AbortController().signal
  const code = await run(words.split('\0').slice(0, -1), { env, terminal, signal })
  expect([code, written.notes]).toEqual([0, ''])
  expect(bodies).toEqual([body])
})
