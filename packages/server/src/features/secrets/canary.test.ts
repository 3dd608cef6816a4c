import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../../platform/crypto/root-key.ts'
import { connect } from '../../platform/live/testing/live-server.ts'
import { clusterConnections } from '../../tables/cluster-connections.ts'
import { type Reply, testApp } from '../../testing/app.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-canary-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const lines: string[] = []
const secretKey = randomBytes(32)
const app = await testApp({ secretKey }, { log: (line) => lines.push(line) })
const { given, database, url } = app
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner

/** Every value that goes in contains it, so that whatever is found of one is found. */
const canary = `canary${randomBytes(12).toString('hex')}`
const answers: { path: string; reply: Reply }[] = []
async function ask(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await app.ask(method, path, { token: owner.token, organizationId, ...(body && { body }) })
  answers.push({ path: `${method} ${path}`, reply })
  return reply
}
const reason = 'Looking for the bird'

async function cluster(): Promise<number> {
  const made = await given.cluster({ organizationId, status: 'RUNNING', version: 'v1.33.0' })
  const dataKeys = createDataKeys({ key: secretKey, fingerprint: fingerprintOf(secretKey) })
  await database.withTenant(organizationId, async (db) => {
    const { url: at, caPem, adminToken } = sandbox
    const tokenSealed = await dataKeys.seal(db, organizationId, adminToken, `cluster-token:${made.id}`)
    const place = { machineId: 'another', dir: '/nowhere', port: 1, pid: 1 }
    await db
      .insert(clusterConnections)
      .values({ clusterId: made.id, organizationId, url: at, caPem, tokenSealed, ...place })
  })
  return made.id
}

/** Puts the value in by each way that there is, and answers the ids of the secrets that hold it. */
async function putIn(): Promise<string[]> {
  const base64 = Buffer.from(`${canary}-bytes`).toString('base64')
  const login = { server: 'registry.example.com', username: 'shop', password: `${canary}-login` }
  const bodies = [
    { name: 'text', type: 'password', value: `${canary}-text` },
    { name: 'bytes', value: base64, encoding: 'base64' },
    { name: 'login', type: 'registry', value: login },
  ]
  const ids: string[] = []
  for (const body of bodies) {
    const reply = await ask('POST', '/api/secrets', body)
    expect(reply.status, reply.text).toBe(201)
    ids.push(reply.body.id)
  }
  const [text = ''] = ids
  await ask('PUT', `/api/secrets/${text}`, { value: `${canary}-second`, reason })
  await ask('POST', `/api/secrets/${text}/rotate`, { value: `${canary}-third`, reason, overlapHours: 1 })
  await ask('POST', `/api/secrets/${text}/versions/1/rollback`, { reason })
  await ask('POST', '/api/secrets/inspect', { type: 'password', value: `${canary}-inspected` })
  const files = {
    env: `FROM_ENV=${canary}-env\nBAD "${canary}`,
    yaml: `from-yaml: ${canary}-yaml\nbad: [${canary}]`,
    kubernetes: `kind: Secret\nmetadata: { name: k8s }\nstringData: { a: ${canary}-manifest }`,
  }
  for (const [format, file] of Object.entries(files)) {
    // As it is, where a line cannot be read; then without that line; then as a preview.
    await ask('POST', '/api/secrets/import', { format, text: file })
    const good = file
      .split('\n')
      .slice(0, format === 'kubernetes' ? undefined : 1)
      .join('\n')
    const reply = await ask('POST', '/api/secrets/import', { format, text: good })
    expect(reply.status, reply.text).toBe(200)
    await ask('POST', '/api/secrets/import', { format, text: good, dryRun: true, onExisting: 'version' })
  }
  // Refused: with a field too many, too long, of a wrong type, twice, not parseable.
  await ask('POST', '/api/secrets', { name: 'text', type: 'password', value: `${canary}-taken` })
  await ask('POST', '/api/secrets', { name: 'extra', value: `${canary}-extra`, [`field-${'x'}`]: 1 })
  await ask('POST', '/api/secrets', { name: 'long', value: `${canary}-long`.repeat(3_000) })
  await ask('POST', '/api/secrets', { name: 'shape', type: 'registry', value: `${canary}-shape` })
  await ask('POST', '/api/secrets', {
    name: 'cert',
    type: 'certificate',
    value: { certificate: canary, privateKey: canary },
  })
  await ask('POST', '/api/secrets', { name: 'kube', type: 'kubeconfig', value: `a: [${canary}` })
  const broken = await app.ask('POST', '/api/secrets', {
    token: owner.token,
    organizationId,
    headers: { 'content-type': 'application/json' },
    body: `{"name": "broken", "value": "${canary}-broken" oops`,
  })
  answers.push({ path: 'POST broken', reply: broken })
  expect(broken.status).toBe(400)
  return ids
}

/** Uses the value in steps that give it away wherever they can: in logs, output, errors and addresses. */
async function useInRun(): Promise<void> {
  const config = (code: string) => ({ code, input: { value: '{{ secrets.text }}' } })
  const leak = 'console.log(input.value, encodeURIComponent(input.value)); return { leaked: input.value }'
  const steps = [
    { key: 'leak', name: 'Leak', type: 'script', config: config(leak) },
    {
      key: 'fail',
      name: 'Fail',
      type: 'script',
      config: config('throw new Error(input.value)'),
      continue_on_error: true,
    },
    {
      key: 'send',
      name: 'Send',
      type: 'http',
      config: { method: 'GET', url: 'http://127.0.0.1:9/{{ secrets.text }}' },
      continue_on_error: true,
    },
    { key: 'echo', name: 'Echo', type: 'transform', config: { values: { back: '{{ steps.leak.output }}' } } },
  ]
  const made = await ask('POST', '/api/v1/workflows', { name: 'Leaks', steps })
  expect(made.status, made.text).toBe(201)
  const path = `/api/v1/workflows/${made.body.workflow.id}`
  const started = await ask('POST', `${path}/execute`, {})
  const runPath = `${path}/runs/${started.body.run.id}`
  await vi.waitFor(
    async () => expect((await ask('GET', runPath)).body.run.status).toMatch(/^(completed|failed)$/),
    { timeout: 60_000, interval: 200 },
  )
  const { body } = await ask('GET', `${runPath}/logs`)
  expect(body.logs.map((line: { message: string }) => line.message).join()).toContain('•••')
  for (const { key } of steps) await ask('GET', `${runPath}/steps/${key}`)
  await ask('GET', `${runPath}/logs/download`)
  await ask('POST', '/api/v1/workflows/test-step', { step: steps[0], is_real: true })
}

/** Everything that the database holds, as text. Stored bytes are hexadecimal. */
async function dump(): Promise<string> {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  expect(rows.length).toBeGreaterThan(20)
  const parts: string[] = []
  for (const { name } of rows) {
    const found = await database.ownerPool.query<{ row: string }>(`select t::text as row from ${name} t`)
    parts.push(name, ...found.rows.map(({ row }) => row))
  }
  return parts.join('\n')
}

/** The value as it is, and as it looks in bytes, base64 at each offset, and within an address. */
const guises = [
  canary,
  Buffer.from(canary).toString('hex'),
  ...[0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${canary}`)
      .toString('base64')
      .slice(4, 4 + 16),
  ),
]
const findIn = (text: string) => guises.filter((guise) => text.includes(guise))

test('a value that is known is found in no table, log line, frame, trail or answer but the ones that give it', async () => {
  const socket = await connect(`${url.replace('http', 'ws')}/ws`, owner)
  const ids = await putIn()
  const [text = '', , login = ''] = ids
  const clusterId = await cluster()
  for (const [index, id] of [text, login].entries()) {
    const body = { clusterId, namespace: 'default', name: `canary-${index}`, restarts: true }
    expect((await ask('POST', `/api/secrets/${id}/syncs`, body)).status).toBe(201)
  }
  await vi.waitFor(
    async () => {
      const { body } = await ask('GET', `/api/secrets/${login}/syncs`)
      expect(body.syncs[0]).toMatchObject({ state: 'synced' })
    },
    { timeout: 60_000, interval: 200 },
  )
  await useInRun()
  const revealed = await ask('POST', `/api/secrets/${text}/reveal`, { reason })
  expect(revealed.body.value).toBe(`${canary}-text`)
  const exported = await ask('POST', '/api/secrets/export', { filter: {}, format: 'yaml', reason })
  expect(exported.text).toContain(`${canary}-yaml`)
  for (const path of ['', '/versions', '/usage', '/grants', '/activity', '/syncs']) {
    await ask('GET', `/api/secrets/${text}${path}`)
  }
  for (const path of ['/api/secrets', '/api/palette', '/api/notifications', '/api/secrets/keys']) {
    await ask('GET', path)
  }
  await ask('POST', '/api/secrets/verify')

  const gives = (path: string) => path.endsWith('/reveal') || path.endsWith('/export')
  const others = answers.filter(({ path }) => !gives(path))
  expect(others.filter(({ reply }) => findIn(reply.text).length > 0).map(({ path }) => path)).toEqual([])
  expect(findIn(await dump())).toEqual([])
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((line) => findIn(line).length > 0)).toEqual([])
  expect(socket.frames.some(({ type }) => type === 'SECRETS_UPDATE')).toBe(true)
  expect(findIn(JSON.stringify(socket.frames))).toEqual([])
  // That it would be found: what gives it away does.
  expect(findIn(revealed.text)).toContain(canary)
  expect(findIn(exported.text)).toContain(canary)
})
