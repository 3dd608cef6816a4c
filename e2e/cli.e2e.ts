import { spawn } from 'node:child_process'
import { createHmac, hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { root } from '../tools/source-files.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

type Env = Record<string, string>

/** The built program of this server, as people download it. */
const built = join(root, 'packages/console/dist/cli/bey.mjs')

/** Starts the program with an environment of its own, and none of a terminal. */
function start(env: Env, args: readonly string[]) {
  return startProgram(process.execPath, [built, ...args], { PATH: process.env['PATH'] ?? '', ...env })
}

function startProgram(command: string, args: readonly string[], env: Env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { out: '', notes: '' }
  child.stdout.on('data', (chunk: Buffer) => void (written.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (written.notes += chunk.toString()))
  const ended = new Promise<{ code: number | null; out: string; notes: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...written })),
  )
  return { child, written, ended }
}

const bey = (env: Env, ...args: string[]) => start(env, args).ended

/** Every program that the page offers has the checksum that it shows, and is what the server sends. */
async function expectOffered(page: Page, url: string): Promise<void> {
  const main = (await (await page.request.get(`${url}/cli/build.json`)).json()) as Program & {
    executable?: Program & { file: string }
  }
  const programs = [{ ...main, file: 'bey.mjs' }, ...(main.executable ? [main.executable] : [])]
  for (const { file, bytes, sha256 } of programs) {
    const sent = await (await page.request.get(`${url}/cli/${file}`)).body()
    expect([sent.length, hash('sha256', sent)]).toEqual([bytes, sha256])
    await expect(page.getByText(sha256.slice(0, 12))).toBeVisible()
  }
}

type Program = { bytes: number; sha256: string }

test.describe.configure({ timeout: 240_000 })

test('a machine logs in by code, works, and is revoked on the page of the command line', async ({
  page,
  bey: server,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'bey-home-'))
  const env = { HOME: home }
  const session = await signUpByApi(server.url, newcomer('Nordlicht'))
  const { client } = session

  // Not logged in, and no server: a sentence each, and a code that scripts understand.
  const stranger = await bey(env, 'clusters', 'list', '--url', server.url)
  expect([stranger.code, stranger.out]).toEqual([4, ''])
  expect(stranger.notes).toContain('Run bey login')
  expect(stranger.notes).toMatch(/^Request \S+$/m)
  const refused = await bey(env, 'login', server.url, '--no-browser', '--json', '--timeout')
  expect(refused.code).toBe(2)

  const login = start(env, ['login', server.url])
  await expect.poll(() => login.written.notes).toContain('compare this code')
  const code = /compare this code:\s+(\S+)/.exec(login.written.notes)?.[1] ?? ''
  await client.call('deviceLogin.confirm', { params: { code }, body: {} })
  const ended = await login.ended
  expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('in Nordlicht')])
  const settings = join(home, '.config/bey/config.json')
  expect((statSync(settings).mode & 0o777).toString(8)).toBe('600')
  const { token } = Object.values(
    (JSON.parse(readFileSync(settings, 'utf8')) as { contexts: Record<string, { token: string }> }).contexts,
  )[0] ?? { token: '' }
  expect(token).toMatch(/^bey_session_/)

  const who = await bey(env, 'whoami', '--json')
  expect(JSON.parse(who.out)).toMatchObject({ organization: 'Nordlicht', role: 'OWNER', url: server.url })
  // A token of one server is never sent to another.
  const elsewhere = await bey({ ...env, BEY_URL: server.url.replace('127.0.0.1', 'localhost') }, 'whoami')
  expect(elsewhere.code).toBe(4)
  const foreign = await bey(env, 'secrets', 'list', '--organization', '999999')
  expect([foreign.code, foreign.out, foreign.notes]).toEqual([
    1,
    '',
    expect.stringContaining('no such organization'),
  ])

  const untrusted = await bey(env, 'whoami', '--url', `https://127.0.0.1:${server.tlsPort}`)
  expect([untrusted.code, untrusted.notes]).toEqual([1, expect.stringContaining('is not trusted')])

  // Ctrl+C ends what repeats, and a reader that has enough is no error.
  const watching = start(env, ['clusters', 'list', '--watch'])
  await expect.poll(() => watching.written.out).toContain('Nothing to list.')
  watching.child.kill('SIGINT')
  expect((await watching.ended).code).toBe(130)
  const cut = start(env, ['audit', 'list', '--json'])
  cut.child.stdout.destroy()
  expect(await cut.ended).toMatchObject({ code: 0, notes: '' })

  // A secret from a file, in every format, and in the environment of a program.
  const value = join(home, 'password.txt')
  writeFileSync(value, 'pa$$ word\n')
  const made = await bey(
    env,
    'secrets',
    'create',
    '--name',
    'orders-db',
    '--value',
    `@${value}`,
    '--json=id,name',
  )
  expect([made.code, made.notes]).toEqual([0, ''])
  expect(JSON.parse(made.out)).toMatchObject({ name: 'orders-db' })
  const table = await bey(env, 'secrets', 'list')
  expect(table.out).toMatch(/^ID +NAME/)
  expect(table.out).toContain('orders-db')
  const json = await bey(env, 'secrets', 'list', '--json=name')
  expect(JSON.parse(json.out)).toEqual([{ name: 'orders-db' }])
  const yaml = await bey(env, 'secrets', 'list', '-o', 'yaml')
  expect(yaml.out).toMatch(/^secrets:\n {2}- id: /)
  const print = 'process.stdout.write(process.env.ORDERS_DB); process.exit(7)'
  const ran = await bey(env, 'secrets', 'run', '--env', 'orders-db', '--', process.execPath, '-e', print)
  expect([ran.code, ran.out]).toEqual([7, 'pa$$ word'])
  const missing = await bey(env, 'secrets', 'get', 'orders-database')
  expect([missing.code, missing.notes]).toEqual([1, expect.stringContaining('"orders-database"')])

  // By its name, and only with --yes where nobody can be asked.
  expect((await bey(env, 'secrets', 'delete', 'orders-db')).code).toBe(2)
  expect((await bey(env, 'secrets', 'delete', 'orders-db', '--yes')).code).toBe(0)
  expect((await bey(env, 'secrets', 'list')).out).toBe('Nothing to list.\n')

  // A run, to its end.
  for (const [name, code] of [
    ['greet', "console.log('hello from the run')"],
    ['fail', "throw new Error('It broke.')"],
  ] as const) {
    const file = join(home, `${name}.json`)
    writeFileSync(
      file,
      JSON.stringify({ name, steps: [{ key: 'say', name: 'Say', type: 'script', config: { code } }] }),
    )
    const created = await bey(env, 'workflows', 'create', '--input', file)
    expect([created.code, created.notes]).toEqual([0, ''])
    const started = await bey(env, 'runs', 'start', name)
    expect([started.code, started.notes]).toEqual([0, ''])
  }
  const failed = await bey(env, 'runs', 'watch', 'fail', '--exit-status')
  expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('It broke.')])
  const watched = await bey(env, 'runs', 'watch', 'greet', '--exit-status')
  expect([watched.code, watched.out]).toEqual([0, expect.stringContaining('greet completed')])
  const logs = await bey(env, 'runs', 'logs', 'greet', '-f')
  expect(logs.out).toContain('hello from the run')

  const completed = await bey(env, '__complete', 'runs', 'watch', 'gr')
  expect(completed.out).toBe('greet\n')

  await enterWith(page, session.token)
  await page.goto('/workspaces/settings/cli')
  await expect(page.getByText('1 machine of yours is logged in')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Install' })).toContainText(`${server.url}/cli/bey.mjs`)
  await expect(page.getByRole('region', { name: 'Follow the last run to its end' })).toContainText(
    'bey runs watch fail --exit-status',
  )
  await expectOffered(page, server.url)
  await page.getByRole('radio', { name: 'VS Code' }).check()
  await expect(page.getByRole('region', { name: 'Configuration of the assistant' })).toContainText(
    `${server.url}/mcp`,
  )
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: /^Revoke the login of / }).click()
  await expect(page.getByText('No machine is logged in')).toBeVisible()
  expect((await bey(env, 'whoami')).code).toBe(4)
  rmSync(home, { recursive: true })
})

test('a script makes a cluster, deploys, reads a log, applies files twice, and fails where a workflow fails', async ({
  bey: server,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'bey-script-'))
  const { token, organizationId } = await signUpByApi(server.url, newcomer('Pipeline'))
  const env = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    NODE: process.execPath,
    BEY: built,
    BEY_URL: server.url,
    BEY_TOKEN: token,
    BEY_ORGANIZATION: String(organizationId),
  }
  const { code, out, notes } = await startProgram('bash', [join(root, 'e2e/cli-script.sh'), home], env).ended
  expect([code, notes]).toEqual([0, ''])
  const lines = out.split('\n')
  expect(lines[0]).toMatch(/^log: .*web/)
  expect(out).toContain(
    [
      'drift before: 8',
      'no value: 2',
      'Applied 4 of 4.',
      'Everything is as the files say: 4 unchanged.',
      'drift after: 0',
      'drift by hand: 8:     spec.description: "Changed by hand" → "What the shop does"',
      'kind: secret',
      'name: orders-db',
    ].join('\n'),
  )
  expect(out).not.toContain('pa$$ word')
  expect(out).toContain(
    [
      'greet: 0',
      'hello world',
      'break: 1',
      'why: Nothing is wrong with web.',
      'kubectl: default',
      'kubectl: the token is kept',
      'kubeconfig: 1',
      'audit: 0',
      '- delete secret orders-db',
    ].join('\n'),
  )
  expect(out).not.toContain('no JSON')
  rmSync(home, { recursive: true })
})

test('a webhook is forwarded to a program on this machine, signed, while its own address is away', async ({
  bey: server,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'bey-listen-'))
  const { token, organizationId, client } = await signUpByApi(server.url, newcomer('Listener'))
  const env = { HOME: home, BEY_URL: server.url, BEY_TOKEN: token, BEY_ORGANIZATION: String(organizationId) }
  const { secret } = await client.call('webhooks.create', {
    body: { name: 'chat', url: 'http://127.0.0.1:9/hook', events: ['secret.updated'] },
  })
  writeFileSync(join(home, 'signing'), `${secret}\n`)
  const received: { type: unknown; isSigned: boolean }[] = []
  const program = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      // As Standard Webhooks says it.
      const signed = createHmac('sha256', key)
        .update(`${String(id)}.${String(at)}.${body}`)
        .digest('base64')
      const { type } = JSON.parse(body) as { type: unknown }
      received.push({ type, isSigned: signature === `v1,${signed}` })
      response.end()
    })
  })
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
  const { port } = program.address() as AddressInfo
  const to = ['--forward-to', `http://127.0.0.1:${port}/hook`, '--secret', `@${join(home, 'signing')}`]
  const listening = start(env, ['webhooks', 'listen', 'chat', ...to])
  await expect.poll(() => listening.written.notes).toContain('Forwarding new deliveries of chat')
  await client.call('secrets.create', { body: { name: 'first', value: 'a value' } })
  await client.call('secrets.create', { body: { name: 'second', value: 'a value' } })
  const message = { type: 'secret.updated', isSigned: true }
  await expect.poll(() => received, { timeout: 60_000 }).toEqual([message, message])
  await expect.poll(() => listening.written.out).toMatch(/secret\.updated \S+ → 200\n.*secret\.updated/)
  listening.child.kill('SIGINT')
  expect((await listening.ended).code).toBe(130)
  program.close()
  rmSync(home, { recursive: true })
})
