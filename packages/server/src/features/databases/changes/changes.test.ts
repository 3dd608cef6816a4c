import { networkInterfaces } from 'node:os'

import { expect, test } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const api = databaseApi(app, admin)
const { ask, until } = api
const { id, endpoint, password } = await api.embedded('tuned')
const path = `/api/databases/${id}`
const asOwner = (text: string, host = endpoint.host) => query({ ...endpoint, host }, password, text)
const shown = async (name: string) =>
  (await asOwner(`select current_setting('${name}') as value`))[0]?.['value']

/** Asks for a change, and answers how its run ended. */
async function change(body: object) {
  const started = await ask('POST', `${path}/changes`, body)
  expect(started.status, started.text).toBe(202)
  await until(id, { status: 'available' })
  const { workflowId, runId } = started.body
  const run = await ask('GET', `/api/v1/workflows/${workflowId}/runs/${runId}`)
  return run.body.run.status as string
}

test('parameters are listed with meaning, default and what a change needs', async () => {
  const { body } = await ask('GET', `${path}/parameters`)
  const of = (name: string) => body.parameters.find((each: { name: string }) => each.name === name)
  expect(of('statement_timeout')).toMatchObject({
    value: '0',
    default: '0',
    unit: 'ms',
    source: 'default',
    needsRestart: false,
    refusal: null,
  })
  expect(of('max_connections')).toMatchObject({
    value: '25',
    default: '100',
    source: 'size',
    needsRestart: true,
  })
  expect(of('work_mem').default).toBe('4MB')
  expect(of('shared_buffers').refusal).toContain('size of the database')
  expect(of('archive_command').refusal).toContain('Bey sets it')
  expect(of('session_preload_libraries').refusal).toContain('endanger')
})

test('a plan says what a change would do and needs, and changes nothing', async () => {
  const { body } = await ask('POST', `${path}/changes/plan`, {
    plan: 'medium',
    parameters: { statement_timeout: '30s', max_connections: '40' },
    allowList: [{ cidr: '10.20.0.0/16' }],
  })
  expect(body).toMatchObject({ needsRestart: true, refusal: null })
  expect(body.changes).toEqual([
    {
      what: 'Size',
      from: 'Small: 128 MiB, 25 connections',
      to: 'Medium: 512 MiB, 50 connections',
      needsRestart: true,
    },
    { what: 'Reached from', from: 'this machine only', to: '10.20.0.0/16', needsRestart: true },
    { what: 'statement_timeout', from: '0', to: '30s', needsRestart: false },
    { what: 'max_connections', from: '25', to: '40', needsRestart: true },
  ])
  expect(await shown('statement_timeout')).toBe('0')
})

test.each([
  [{ parameters: { work_mem: 'much' } }, 'work_mem is a number, with one of the units'],
  [{ parameters: { statement_timeout: '-5' } }, 'statement_timeout is from 0 to'],
  [{ parameters: { nothing: '1' } }, 'PostgreSQL has no parameter "nothing"'],
  [{ parameters: { archive_command: 'rm -rf /' } }, 'Bey sets it'],
  [{ parameters: { 'work_mem = 1; select 1 --': '1' } }, 'PostgreSQL has no parameter'],
  [{ parameters: { timezone: "UTC'; drop table parts; --\u0007" } }, 'control characters'],
  [{ allowList: [{ cidr: '10.20.0.7/16' }] }, 'The network is 10.20.0.0/16'],
  [{ allowList: [{ cidr: '0.0.0.0/0' }] }, 'admits every address'],
  [{ allowList: [{ cidr: '10.0.0.0/8\nhost all all all trust' }] }, 'is no network'],
  [{}, 'Name what is to be changed'],
])('%j is refused before anything is changed', async (body, sentence) => {
  const reply = await ask('POST', `${path}/changes`, body)
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  expect(JSON.parse(JSON.stringify(reply.body)), reply.text).toBeTruthy()
  expect(reply.text.replaceAll('\\"', '"')).toContain(sentence)
})

test('a parameter changes at once, and one that the size decides with a restart; both outlive it', async () => {
  expect(await change({ parameters: { statement_timeout: '30s', work_mem: '8MB' } })).toBe('completed')
  expect([await shown('statement_timeout'), await shown('work_mem')]).toEqual(
    ['30s', '2MB'].map((each, index) => (index === 0 ? each : expect.any(String))),
  )
  expect(await change({ parameters: { max_connections: '40' }, restart: true })).toBe('completed')
  expect([await shown('statement_timeout'), await shown('work_mem'), await shown('max_connections')]).toEqual(
    ['30s', '8MB', '40'],
  )
  const quoted = `Europe/O'Neil`
  expect(await change({ parameters: { timezone: quoted } })).toBe('failed')
  expect(await shown('timezone')).toBe('UTC')
  expect(
    await change({
      parameters: { statement_timeout: null, work_mem: null, max_connections: null },
      restart: true,
    }),
  ).toBe('completed')
  expect([await shown('statement_timeout'), await shown('max_connections')]).toEqual(['0', '25'])
}, 120_000)

test('a server that does not start with its new values gets the old ones back', async () => {
  const begun = await change({ parameters: { max_connections: '2', statement_timeout: '9s' }, restart: true })
  expect(begun).toBe('failed')
  expect([await shown('max_connections'), await shown('statement_timeout')]).toEqual(['25', '0'])
  const { body } = await ask('GET', path)
  expect(body.status).toBe('available')
}, 120_000)

test('another size is reserved, and its server restarted with it', async () => {
  expect(await change({ plan: 'medium' })).toBe('completed')
  expect((await ask('GET', path)).body).toMatchObject({ plan: 'medium', figures: { maxConnections: 50 } })
  expect(await shown('shared_buffers')).toBe('128MB')
  const large = await ask('POST', `${path}/changes/plan`, { plan: 'large' })
  if (large.body.refusal !== null) expect(large.body.refusal).toContain('BEY_SANDBOX_BUDGET_MIB')
  expect(await change({ plan: 'small' })).toBe('completed')
  expect(await shown('shared_buffers')).toBe('32MB')
}, 120_000)

const own = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address

test.skipIf(own === undefined)(
  'other machines reach it from the networks of the list alone, and no longer once they are gone',
  async () => {
    const host = own ?? ''
    await expect(asOwner('select 1 as one', host)).rejects.toThrow('ECONNREFUSED')
    expect(await change({ allowList: [{ cidr: '203.0.113.0/24', about: 'office' }], restart: true })).toBe(
      'completed',
    )
    await expect(asOwner('select 1 as one', host)).rejects.toThrow('no pg_hba.conf entry')
    // Only lines change from here on: no restart is needed.
    expect(await change({ allowList: [{ cidr: host, about: 'this machine' }] })).toBe('completed')
    expect(await asOwner('select 1 as one', host)).toEqual([{ one: 1 }])
    expect((await ask('GET', path)).body.allowList).toEqual([{ cidr: `${host}/32`, about: 'this machine' }])
    await ask('POST', `${path}/restart`)
    await until(id, { status: 'available' })
    expect(await asOwner('select 1 as one', host)).toEqual([{ one: 1 }])
    expect(await change({ allowList: [], restart: true })).toBe('completed')
    await expect(asOwner('select 1 as one', host)).rejects.toThrow('ECONNREFUSED')
  },
  120_000,
)
