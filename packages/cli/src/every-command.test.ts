import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointCommand, Flag } from './command.ts'
import { handMadeCommands } from './commands/table.ts'
import { commandRows } from './endpoints/command-rows.ts'
import { run } from './run.ts'
import { pipedTerminal } from './testing/piped-terminal.ts'

// Answers every request, so that what is tested is what the command line makes of a reply.
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    requests.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}`)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 1, name: 'first', total: 0 }))
  })
})
const endpointCommands = commandRows()
const requests: string[] = []
const home = mkdtempSync(join(tmpdir(), 'bey-cli-'))
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this kind.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(home, { recursive: true })
})

async function bey(...args: string[]) {
  const { terminal, written } = pipedTerminal('hidden value\n')
  const env = { HOME: home, BEY_URL: url, BEY_TOKEN: 'token', BEY_ORGANIZATION: '1' }
  const code = await run(args, { env, terminal, signal: new AbortController().signal })
  return { code, ...written }
}

const samples: Record<Flag['kind'], string> = {
  string: 'text',
  integer: '1',
  number: '1.5',
  boolean: 'true',
  json: '{}',
}

/** A command line with all that is required. */
function lineOf(command: EndpointCommand): string[] {
  const required = command.flags.filter(({ isRequired }) => isRequired)
  return [
    ...command.words.split(' '),
    ...command.params.map(() => '1'),
    ...required.map(
      ({ name, kind, values, isSecret }) => `--${name}=${isSecret ? '@-' : (values?.[0] ?? samples[kind])}`,
    ),
    ...(command.body === 'json' ? ['--input', '-'] : []),
  ]
}

test('every endpoint has one command, and no two commands are typed alike', () => {
  const words = endpointCommands.map((each) => each.words)
  expect(new Set(words).size).toBe(words.length)
  const handMade = handMadeCommands.map((each) => each.words)
  expect(words.filter((each) => handMade.includes(each))).toEqual([])
})

test.each(
  endpointCommands.filter(({ body }) => body !== 'json').map((command) => [command.words, command] as const),
)('%s prints JSON with --json, and all its flags are understood', async (_words, command) => {
  const { code, out, notes } = await bey(...lineOf(command), '--yes', '--json')
  expect([code, notes]).toEqual([0, ''])
  expect(() => JSON.parse(out)).not.toThrow()
})

test.each(handMadeCommands.map(({ words }) => words))('%s has help as JSON', async (words) => {
  const { code, out } = await bey(...words.split(' '), '--help', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out).help).toContain(`bey ${words}`)
})

test('what cannot be undone asks, and without a terminal it takes --yes', async () => {
  requests.length = 0
  const { code, notes } = await bey('secrets', 'delete', '1')
  expect([code, requests]).toEqual([2, []])
  expect(notes).toContain('Add --yes')
  expect((await bey('secrets', 'delete', '1', '--yes')).code).toBe(0)
  expect(requests[0]).toMatch(/^DELETE /)
})

test('common words and flags are accepted beside those of the endpoints', async () => {
  const cases: [string[], string][] = [
    [['keys', 'list'], 'GET /api/api-keys'],
    [['usage'], 'GET /api/billing/spend'],
    [['usage', 'list'], 'GET /api/billing/ledger'],
    [
      ['runs', 'retry', '1', '2', '--from-failed'],
      'POST /api/v1/workflows/1/runs/2/retry {"mode":"from_failed"}',
    ],
    [['databases', 'backup', '1'], 'POST /api/databases/1/backups'],
    [
      ['databases', 'restore', '1', '--name', 'copy', '--at', '2026-01-15T09:30:00Z'],
      'POST /api/databases/1/restore {"name":"copy","targetTime":"2026-01-15T09:30:00Z"}',
    ],
    [
      ['databases', 'restore', '1', '--at', '2026-01-15T09:30:00Z', '--table', 'price_rules', '--replace'],
      'POST /api/databases/1/restore {"table":"price_rules","replace":true,"targetTime":"2026-01-15T09:30:00Z"}',
    ],
  ]
  for (const [args, request] of cases) {
    requests.length = 0
    expect((await bey(...args, '--json')).code, args.join(' ')).toBe(0)
    expect(requests.at(-1), args.join(' ')).toBe(request)
  }
})

test('--wait waits for the end where a server says how it went, and says by its exit code whether that was good', async () => {
  const help = (await bey('clusters', 'create', '--help')).out
  expect(help).toContain('--wait')
  expect((await bey('clusters', 'list', '--wait')).code).toBe(2)
  // A reply that names no run has nothing to wait for.
  expect((await bey('webhooks', 'test', '1', '--type=run.failed', '--wait', '--json')).code).toBe(0)
})

test('a secret on the command line is refused before anything is sent', async () => {
  requests.length = 0
  const { code, notes } = await bey(
    'auth',
    'login',
    '--email',
    'ada@example.com',
    '--password',
    'difference-1!',
  )
  expect([code, requests]).toEqual([2, []])
  expect(notes).toContain('a command line is seen by others')
  expect(notes).not.toContain('difference-1!')
})

test('what is typed wrongly is said with the way out, and ends with 2', async () => {
  const cases: [string[], string][] = [
    [['clusters', 'lst'], 'There is no command "bey clusters lst"'],
    [['clusers'], 'Did you mean clusters'],
    [['clusters', 'get'], 'The argument <id> is missing'],
    [['clusters', 'get', '1', '2'], 'one argument too many'],
    [['clusters', 'list', '--limt', '5'], "Unknown option '--limt'"],
    [['clusters', 'list', '--limit', 'many'], '--limit takes a whole number, not "many"'],
    [['clusters', 'list', '-o', 'xml'], '-o takes table, json or yaml'],
    [['clusters', 'list', '--jq', '.clusters['], '--jq cannot read ".clusters["'],
    [['clusters', 'list', '--jq', '.', '-o', 'yaml'], '--jq prints JSON, not yaml'],
    [['clusters', 'list', '--organization', 'mine'], 'An organization is named by its number'],
    [['clusters', 'get', '1', '--json=nme'], 'There is no field "nme"'],
    [['clusters', 'provision', '1', '--watch'], '--watch repeats only commands that read'],
  ]
  for (const [args, sentence] of cases) {
    const { code, out, notes } = await bey(...args)
    expect([code, out], args.join(' ')).toEqual([2, ''])
    expect(notes, args.join(' ')).toContain(sentence)
  }
})

test('--jq prints what its program yields of the reply, and texts bare', async () => {
  const { code, out } = await bey('clusters', 'get', '1', '--jq', '.name, {id, size: (.name | length)}')
  expect([code, out]).toEqual([0, `first\n${JSON.stringify({ id: 1, size: 5 }, null, 2)}\n`])
  const failed = await bey('clusters', 'get', '1', '--jq', '.name | error("too long")')
  expect([failed.code, failed.out]).toEqual([1, ''])
  expect(failed.notes).toContain('failed on the reply')
})

test('a server that does not answer is named, and ends with 1', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const { code, notes } = await bey('clusters', 'list', '--url', `http://127.0.0.1:${port}`)
  expect(code).toBe(1)
  expect(notes).toContain(`Nothing answers at http://127.0.0.1:${port}`)
})
