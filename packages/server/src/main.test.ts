import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const prepare = fileURLToPath(new URL('./prepare.ts', import.meta.url))
const root = await mkdtemp(join(tmpdir(), 'bey-main-'))
const running = new Set<ChildProcess>()
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

type Started = { child: ChildProcess; output(): string; ended: Promise<number | null> }

function start(env: Record<string, string>, program = main): Started {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      BEY_TLS_PORT: '0',
      BEY_DATA_DIR: join(root, 'data'),
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, output: () => output, ended }
}

async function listening(started: Started): Promise<string> {
  while (!/Bey listens on (\S+)/.test(started.output())) {
    const ended = await Promise.race([
      started.ended,
      once(started.child.stdout ?? started.child, 'data').then(() => 'data'),
    ])
    if (ended !== 'data') throw new Error(`It ended with ${String(ended)}: ${started.output()}`)
  }
  return /Bey listens on (\S+)/.exec(started.output())?.[1] ?? ''
}

test('it says where it listens, refuses a second start on its data, and stops in order when asked to', async () => {
  const first = start({})
  const address = await listening(first)
  expect(address).toMatch(/^http:\/\/localhost:\d+$/)
  expect((await fetch(`${address}/health`)).status).toBe(200)

  const second = start({})
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(address)
  expect(second.output().trim().split('\n')).toHaveLength(1)

  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(await readdir(join(root, 'data'))).not.toContain('bey.json')
  expect(first.output().trim().split('\n')).toHaveLength(1)
})

test('a server finds the database that was made while its console was built, and nothing that is in its way', async () => {
  const env = { BEY_DATA_DIR: join(root, 'prepared'), LOG_LEVEL: 'info' }
  const prepared = start(env, prepare)
  expect([await prepared.ended, prepared.output()]).toEqual([0, ''])
  expect(await readdir(env.BEY_DATA_DIR)).not.toContain('bey.json')
  const server = start(env)
  await listening(server)
  expect(server.output()).not.toMatch(/Made a new database|Migrated the database/)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('one Ctrl+C, which arrives from the terminal and from npm, stops in order', async () => {
  const started = start({ BEY_DATA_DIR: join(root, 'keystroke') })
  await listening(started)
  started.child.kill('SIGINT')
  started.child.kill('SIGINT')
  await new Promise((done) => setTimeout(done, 20))
  started.child.kill('SIGINT')
  expect(await started.ended).toBe(0)
  expect(await readdir(join(root, 'keystroke'))).not.toContain('bey.json')
})

test('a taken port is named before anything else is started', async () => {
  const holder = createServer()
  await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done))
  const address = holder.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  for (const variable of ['PORT', 'BEY_TLS_PORT']) {
    const dataDir = join(root, `taken-${variable}`)
    const refused = start({ [variable]: port, BEY_DATA_DIR: dataDir })
    expect(await refused.ended).toBe(1)
    expect(refused.output().trim()).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop that one, or set ${variable} to a free port.`,
    )
    expect(await readdir(dataDir)).not.toContain('postgres')
  }
  holder.close()
})

const file = join(root, 'a-file')
test.each<[string, Record<string, string>, RegExp]>([
  ['a port that is none', { PORT: 'http' }, /^PORT is "http"\. Set PORT to a whole number/],
  ['a host that is not of this machine', { HOST: '203.0.113.7' }, /Set HOST to one/],
  ['a data directory that is a file', { BEY_DATA_DIR: file }, /is not a folder/],
  ['a database that is none', { DATABASE_URL: 'mysql://x/y' }, /^DATABASE_URL is not a PostgreSQL address/],
  [
    'a database that does not answer',
    { DATABASE_URL: 'postgres://ada:canary@127.0.0.1:1/bey' },
    /DATABASE_URL/,
  ],
])('a start with %s ends with one sentence', async (_what, env, sentence) => {
  await writeFile(file, '')
  const refused = start({ BEY_DATA_DIR: join(root, 'refused'), ...env })
  expect(await refused.ended).toBe(1)
  expect(refused.output().trim().split('\n')).toHaveLength(1)
  expect(refused.output()).toMatch(sentence)
  expect(refused.output()).not.toContain('canary')
})

test('a stop asked for while it starts is heeded', async () => {
  const dataDir = join(root, 'early')
  const early = start({ BEY_DATA_DIR: dataDir })
  await vi.waitFor(async () => expect(await readdir(dataDir)).toContain('bey.json'), {
    timeout: 60_000,
    interval: 10,
  })
  early.child.kill('SIGTERM')
  expect(await early.ended).toBe(0)
  expect(early.output()).toBe('')
  expect(await readdir(dataDir)).not.toContain('bey.json')
})
