import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../../platform/crypto/root-key.ts'
import { connect } from '../../platform/live/testing/live-server.ts'
import { clusterConnections } from '../../tables/cluster-connections.ts'
import { type Reply, testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-leaks-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
/** Keeps the last body it got and answers it parsed, within JSON, as headers and when asked again. */
const bodies = new Map<string, string>()
const echo = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const path = request.url ?? '/'
    if (request.method === 'POST') bodies.set(path, body)
    const last = bodies.get(path) ?? ''
    const parsed = parsedOr(last)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ parsed, lines: last.split('\n'), start: `${last.slice(0, 10)}...` }))
  })
})
await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
const echoUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`
afterAll(async () => {
  echo.close()
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const logLines: string[] = []
const secretKey = randomBytes(32)
const app = await testApp({ secretKey }, { log: (line) => logLines.push(line) })
const { given, database, url } = app
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const viewer = await given.user({ role: 'VIEWER', organizationId })
const answers: Reply[] = []

async function ask(method: string, path: string, body?: object, by: GivenUser = owner): Promise<Reply> {
  const reply = await app.ask(method, path, { token: by.token, organizationId, ...(body && { body }) })
  answers.push(reply)
  return reply
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const random = () => randomBytes(9).toString('hex')
const [a, b, c, d, e] = [random(), random(), random(), random(), random()]
const pem = `-----BEGIN PRIVATE KEY-----\n${a}${b}\n${c}\n-----END PRIVATE KEY-----\n`

/** Values of every shape, with what must be found nowhere. */
const shapes: Record<string, { value: string; leaves: string[] }> = {
  json: {
    value: JSON.stringify({
      type: 'key',
      inner: { list: [`leaf-${a}`, { deep: `"q" ${b}\nnext ${c}` }] },
      private_key: pem,
    }),
    leaves: [a, b, c],
  },
  kubeconfig: {
    value: `apiVersion: v1\nkind: Config\nclusters: []\nusers:\n- name: u${d}\n  user:\n    token: ${a}\n    client-key-data: ${Buffer.from(pem).toString('base64')}\ncontexts: []\n`,
    leaves: [a, b, c, d],
  },
  dotenv: { value: `# shop\nexport DB_PASSWORD="p@ss ${a}"\nTOKEN=${b} # used\nEMPTY=\n`, leaves: [a, b] },
  properties: { value: `db.password=${a}\ndb.url = jdbc:postgresql://h/${b}\n`, leaves: [a, b] },
  pem: { value: pem, leaves: [a, b, c] },
  base64: {
    value: Buffer.from(`user:${a}`).toString('base64'),
    leaves: [a, Buffer.from(`user:${a}`).toString('base64').slice(0, 16)],
  },
  bytes: { value: randomBytes(40).toString('base64'), leaves: [] },
  short: { value: `x${a.slice(0, 3)}#9Z`, leaves: [`x${a.slice(0, 3)}#9Z`] },
  unicode: { value: `пароль-密码-${a}-ü`, leaves: [a, 'пароль', '密码'] },
  quotes: { value: `a'b"c\\d\ne<f>&${a}\n${b}`, leaves: [a, b] },
  address: { value: `postgres://shop:${encodeURIComponent(`p/w ${a}`)}@db.internal/shop`, leaves: [a] },
}
const words = { value: `correct-horse-${e}`, leaves: [e, 'correct-horse'] }

/** A text as it is, and as it stands in bytes, within base64 and within addresses. */
function guises(text: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${text}`)
      .toString('base64')
      .slice(4, -4),
  )
  return [
    text,
    Buffer.from(text).toString('hex'),
    encodeURIComponent(text),
    ...inBase64.filter((each) => each.length >= 8),
  ]
}
const wanted = [...Object.values(shapes), words].flatMap(({ leaves }) => leaves.flatMap(guises))
const findIn = (text: string) => wanted.filter((each) => text.includes(each))

async function cluster(): Promise<number> {
  const made = await given.cluster({ organizationId, title: 'prod', status: 'RUNNING', version: 'v1.33.0' })
  const dataKeys = createDataKeys({ key: secretKey, fingerprint: fingerprintOf(secretKey) })
  await database.withTenant(organizationId, async (db) => {
    const tokenSealed = await dataKeys.seal(
      db,
      organizationId,
      sandbox.adminToken,
      `cluster-token:${made.id}`,
    )
    const place = { machineId: 'another', dir: '/nowhere', port: 1, pid: 1 }
    await db.insert(clusterConnections).values({
      clusterId: made.id,
      organizationId,
      url: sandbox.url,
      caPem: sandbox.caPem,
      tokenSealed,
      ...place,
    })
  })
  return made.id
}

function stepsFor(
  name: string,
  clusterId: number,
): { key: string; type: string; needs?: string[]; config: object }[] {
  const secret = `{{ secrets.${name} }}`
  const read = `
    const text = input.value
    const seen = (() => { try { return JSON.parse(text) } catch (error) { console.log(String(error), error.message); return text.split(/\\s+/) } })()
    console.log(seen); console.log([text]); console.error(encodeURIComponent(text), JSON.stringify({ text }))`
  const config = {
    metadata: { name: `n-${secret}`, namespace: 'default' },
    apiVersion: 'v1',
    kind: 'ConfigMap',
  }
  return [
    { key: 'echo', type: 'http', config: { method: 'POST', url: echoUrl + name, body: secret } },
    { key: 'again', type: 'http', needs: ['echo'], config: { method: 'GET', url: echoUrl + name } },
    { key: 'script', type: 'script', config: { code: `${read}\nreturn seen`, input: { value: secret } } },
    {
      key: 'throws',
      type: 'script',
      config: { code: `${read}\nthrow new Error(JSON.stringify(seen))`, input: { value: secret } },
    },
    {
      key: 'parses',
      type: 'script',
      config: { code: 'return JSON.parse(input.value + "!")', input: { value: secret } },
    },
    { key: 'evals', type: 'script', config: { code: 'return eval(input.value)', input: { value: secret } } },
    {
      key: 'job',
      type: 'kubernetes.job',
      config: {
        cluster: clusterId,
        image: 'alpine:3.22',
        command: ['sh', '-c', 'printenv VALUE'],
        env: { VALUE: secret },
      },
    },
    { key: 'named', type: 'kubernetes.apply', config: { cluster: clusterId, manifest: [config] } },
    {
      key: 'yaml',
      type: 'kubernetes.apply',
      config: { cluster: clusterId, manifest: `a: *${secret}\n  b: "${secret}` },
    },
    {
      key: 'filled',
      type: 'kubernetes.apply',
      config: {
        cluster: clusterId,
        manifest: [
          { ...config, metadata: { name: 'filled', namespace: 'default' }, data: { value: secret } },
        ],
      },
    },
    {
      key: 'deletes',
      type: 'kubernetes.delete',
      config: {
        cluster: clusterId,
        api_version: 'v1',
        kind: 'ConfigMap',
        namespace: 'default',
        selector: `app=${secret}`,
      },
    },
    {
      key: 'sql',
      type: 'sql',
      config: { connection: `postgres://127.0.0.1:9/${secret}`, query: `select ${secret}` },
    },
  ]
}

async function finish(path: string): Promise<{ steps: { key: string }[] }> {
  const options = { timeout: 120_000, interval: 500 }
  return vi.waitFor(async () => {
    const { body } = await ask('GET', path)
    expect(body.run.status).toMatch(/^(completed|failed)$/)
    return body
  }, options)
}

async function dump(): Promise<string> {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const parts: string[] = []
  for (const { name } of rows) {
    const found = await database.ownerPool.query<{ row: string }>(`select t::text as row from ${name} t`)
    parts.push(name, ...found.rows.map(({ row }) => row))
  }
  return parts.join('\n')
}

test('no member of a secret is found in tables, logs, frames, trail, exports or what a viewer reads', async () => {
  const socket = await connect(`${url.replace('http', 'ws')}/ws`, owner)
  const clusterId = await cluster()
  for (const [name, { value }] of Object.entries({ ...shapes, words })) {
    const reply = await ask('POST', '/api/secrets', { name, value })
    expect(reply.status, reply.text).toBe(201)
  }
  const runs: string[] = []
  for (const name of [...Object.keys(shapes), 'words']) {
    const steps = stepsFor(name, clusterId)
      // A job takes its time; what differs are values with members.
      .filter(({ key }) => key !== 'job' || ['json', 'kubeconfig', 'dotenv'].includes(name))
      .map((step) => ({ needs: [], ...step, name: step.key, continue_on_error: true }))
    const made = await ask('POST', '/api/v1/workflows', { name: `Leaks ${name}`, steps })
    expect(made.status, made.text).toBe(201)
    const path = `/api/v1/workflows/${made.body.workflow.id}`
    const started = await ask('POST', `${path}/execute`, {})
    runs.push(`${path}/runs/${started.body.run.id}`)
    for (const key of [0, 3]) {
      await ask('POST', '/api/v1/workflows/test-step', { step: steps[key], is_real: true })
    }
  }
  for (const runPath of runs) {
    const run = await finish(runPath)
    for (const by of [owner, viewer]) {
      await ask('GET', runPath, undefined, by)
      await ask('GET', `${runPath}/logs?limit=200`, undefined, by)
      await ask('GET', `${runPath}/logs/download`, undefined, by)
      for (const { key } of run.steps) await ask('GET', `${runPath}/steps/${key}`, undefined, by)
    }
  }
  await ask('GET', '/api/audit?limit=200')
  await ask('GET', '/api/audit/export?format=json')
  await ask('GET', '/api/audit/export?format=csv')
  // The steps did what they were for.
  const [json = ''] = runs
  const step = async (key: string) => {
    const { body } = await ask('GET', `${json}/steps/${key}`)
    return { ...body.step, output: body.output }
  }
  expect((await step('echo')).output.body.parsed).toMatchObject({
    inner: { list: ['•••', { deep: '•••' }] },
    private_key: '•••',
  })
  expect((await step('again')).output.body.parsed.private_key).toBe('•••')
  expect((await step('script')).output.result.private_key).toBe('•••')
  expect((await step('throws')).error.message).toContain('•••')
  expect((await step('parses')).error.message).toContain('The text is not JSON.')
  expect((await step('named')).error.message).toContain('has a secret in its name')
  expect((await step('filled')).error.message).toContain('would hold a secret as text')
  expect((await step('job')).status).toBe('succeeded')
  expect(JSON.stringify((await step('job')).output)).toContain('•••')

  expect(answers.map(({ text }) => findIn(text)).filter((found) => found.length > 0)).toEqual([])
  expect(findIn(await dump())).toEqual([])
  expect(logLines.filter((line) => findIn(line).length > 0)).toEqual([])
  expect(socket.frames.some(({ type }) => type === 'WORKFLOW_LOG' || type.includes('WORKFLOW'))).toBe(true)
  expect(findIn(JSON.stringify(socket.frames))).toEqual([])
}, 180_000)

test('a field of a value is given by its path, and a value that is too short to be masked is refused', async () => {
  const value = JSON.stringify({ private_key: `field-${random()}`, pin: 'x1' })
  await ask('POST', '/api/secrets', { name: 'gcp', value })
  await ask('POST', '/api/secrets', { name: 'pin', value: '123' })
  const config = (secret: string) => ({ values: { given: `{{ secrets.${secret} }}` } })
  const trial = async (secret: string) =>
    (
      await ask('POST', '/api/v1/workflows/test-step', {
        step: { key: 't', name: 'T', type: 'transform', config: config(secret) },
      })
    ).body
  expect((await trial('gcp.private_key')).output).toEqual({ given: '•••' })
  expect((await trial('gcp#private_key')).output).toEqual({ given: '•••' })
  expect((await trial('gcp.other')).error.message).toContain('has no field "other"')
  expect((await trial('gcp.pin')).error.message).toContain('fewer than 4 characters')
  expect((await trial('pin')).error.message).toContain('fewer than 4 characters')
  const checked = await ask('POST', '/api/v1/workflows/validate', {
    name: 'Named',
    steps: [{ key: 't', name: 'T', type: 'transform', config: config('gcp.private_key') }],
  })
  expect(checked.text).not.toContain('There is no secret')
})
