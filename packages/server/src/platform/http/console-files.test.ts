import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '@bey/contract/api'
import { createLog } from '../log.ts'
import { realClock } from '../clock.ts'
import { createAnonymousClients } from './anonymous-limits.ts'
import { createHttp } from './server.ts'

const dir = await mkdtemp(join(tmpdir(), 'bey-console-'))
const script = 'export const x = 1\n'.repeat(500)
await mkdir(join(dir, 'assets'))
await writeFile(join(dir, 'index.html'), '<!doctype html><title>Bey</title>')
await writeFile(join(dir, 'assets/main-abc123.js'), script)
await writeFile(join(dir, 'assets/main-abc123.js.br'), brotliCompressSync(script))
await writeFile(join(dir, 'favicon.svg'), '<svg/>')

const serve = (consoleDir: string) =>
  createHttp({
    version: '0.1.0',
    log: createLog({ level: 'fatal' }),
    trustsProxy: () => false,
    anonymousClients: createAnonymousClients(realClock),
    isStopping: () => false,
    consoleDir,
    endpoints: Object.values(api),
  })
const http = await serve(dir)
const bare = await serve(join(dir, 'nowhere'))
beforeAll(() => Promise.all([http.ready(), bare.ready()]))
afterAll(async () => {
  await Promise.all([http.close(), bare.close()])
  await rm(dir, { recursive: true, force: true })
})

const navigate = (url: string) => http.inject({ url, headers: { accept: 'text/html,*/*;q=0.8' } })

test.each(['/', '/login', '/kubernetes/clusters/7/nodes?x=1', '/no/such/page'])(
  'a browser that opens %s gets the page, to be asked for again',
  async (url) => {
    const reply = await navigate(url)
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(reply.body).toContain('<title>Bey</title>')
    expect(reply.headers['content-type']).toMatch(/^text\/html/)
  },
)

test.each(['/api/nothing', '/assets/gone.js', '/ws', '/api'])(
  '%s is not a page, no matter who asks',
  async (url) => {
    const reply = await navigate(url)
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ code: 'route_not_found' })
  },
)

test('a script that asks for a page by name gets a problem, not HTML', async () => {
  const reply = await http.inject({ url: '/login', headers: { accept: 'application/json' } })
  expect(reply.json()).toMatchObject({ code: 'route_not_found' })
})

test('assets are kept for ever, sent as they were compressed, and not sent twice', async () => {
  const url = '/assets/main-abc123.js'
  const reply = await http.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } })
  expect(reply.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(reply.headers.etag).toBeDefined()
  expect((await http.inject({ url })).body).toBe(script)
  const again = await http.inject({
    url,
    headers: { 'if-none-match': String((await http.inject({ url })).headers.etag) },
  })
  expect(again.statusCode).toBe(304)
})

test('a console that is built anew while the server runs is served with its new assets', async () => {
  await writeFile(join(dir, 'assets/main-def456.js'), 'export const x = 2\n')
  await writeFile(
    join(dir, 'index.html'),
    '<!doctype html><title>Bey</title><script src="/assets/main-def456.js">',
  )
  expect((await navigate('/')).body).toContain('main-def456')
  expect((await http.inject({ url: '/assets/main-def456.js' })).body).toBe('export const x = 2\n')
})

test('the executable of the command line is served from the moment that it is built, after the start', async () => {
  expect((await http.inject({ url: '/cli/bey-linux-x64' })).statusCode).toBe(404)
  await mkdir(join(dir, 'cli'))
  await writeFile(join(dir, 'cli/bey-linux-x64'), 'program')
  const reply = await http.inject({ url: '/cli/bey-linux-x64' })
  expect([reply.body, reply.headers['cache-control']]).toEqual(['program', 'no-cache'])
})

test.each([
  '/../main.ts',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%2f..%2fetc/passwd',
  '/assets/..%2findex.html',
  '/assets/',
  '/assets',
  '//etc/passwd',
  '/assets/%00',
  '/cli/..%2f..%2fetc/passwd',
  '/cli/',
])('%s leads nowhere', async (url) => {
  const reply = await http.inject({ url })
  expect([400, 403, 404]).toContain(reply.statusCode)
  expect(reply.body).not.toContain('root:')
})

test('the policy lets the page load nothing foreign and no inline script', async () => {
  const policy = String((await navigate('/')).headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self' 'unsafe-inline';")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/)
  expect(policy).toContain("frame-ancestors 'none'")
})

test('without a build the page says how to make one', async () => {
  const reply = await bare.inject({ url: '/', headers: { accept: 'text/html' } })
  expect(reply.statusCode).toBe(404)
  expect(reply.json().detail).toMatch(/^The console is not built\. Run npm run build/)
})
