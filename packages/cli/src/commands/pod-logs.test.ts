import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../run.ts'
import { pipedTerminal } from '../testing/piped-terminal.ts'

const at = (second: number) => `2026-01-15T09:30:0${second}.000000000Z`
const lines = (...rows: [number, string, string][]) => ({ type: 'lines', lines: rows })
const sources = [
  { type: 'source', source: 0, pod: 'web-1', container: 'app' },
  { type: 'source', source: 1, pod: 'web-2', container: 'app' },
]
/** What each connection is sent: the first breaks off, the second ends in order without saying so. */
const streams = [
  [...sources, lines([0, at(1), 'a'], [0, at(3), 'b'], [0, at(3), 'c'])],
  [
    ...sources,
    lines([1, at(2), 'late'], [0, at(3), 'b']),
    lines([0, at(3), 'c'], [0, at(3), 'd'], [1, at(3), 'e']),
  ],
  [...sources, lines([1, at(3), 'e'], [0, at(4), 'f']), { type: 'end' }],
]

test('a stream that breaks off goes on without losing a line or printing one twice', async () => {
  const asked: { sinceTime?: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const stream = streams[asked.length] ?? []
      asked.push(JSON.parse(body) as { sinceTime?: string })
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      const text = stream.map((each) => `${JSON.stringify(each)}\n`).join('')
      if (asked.length > 1) response.end(text)
      else response.write(text, () => setTimeout(() => response.destroy(), 100))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on TCP has an address of this kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { terminal, written } = pipedTerminal()
  const env = { HOME: '/nowhere', BEY_URL: url, BEY_TOKEN: 'token', BEY_ORGANIZATION: '1' }
  const args = ['logs', 'deploy/web', '--cluster', '1', '-f']
  const code = await run(args, { env, terminal, signal: new AbortController().signal })
  expect([code, written.notes]).toEqual([0, 'The stream broke off; connecting again …\n'.repeat(2)])
  const lines = written.out
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^web-(\d) app \| /, '$1'))
  expect(lines).toEqual(['1a', '1b', '1c', '2late', '1d', '2e', '1f'])
  expect(asked.map(({ sinceTime }) => sinceTime)).toEqual([undefined, at(3), at(3)])
})
