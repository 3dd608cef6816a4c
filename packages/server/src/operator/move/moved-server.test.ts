import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { expect, inject, onTestFinished, test, vi } from 'vitest'

import { processApi } from '../../features/databases/testing/process-api.ts'
import { query } from '../../features/databases/testing/database-api.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createLog } from '../../platform/log.ts'
import { startBeyProcess } from '../../testing/database-chaos/bey-process.ts'
import { dropDatabase } from '../../testing/database.ts'
import { debianPostgres, startDebianPostgres } from '../../testing/debian-postgres.ts'
import type { GivenUser } from '../../testing/given.ts'
import { onTestServer, withDatabase } from '../../testing/global-setup.ts'
import { runOperator } from '../../testing/operator-child.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'

/** An empty database of an owner who is no superuser: on Debian's PostgreSQL, whose major version is another one, where there is one. */
async function emptyDatabase(): Promise<string> {
  if (debianPostgres === undefined) {
    const serverUrl = inject('testServerUrl')
    const name = `test_moved_${randomBytes(4).toString('hex')}`
    await onTestServer(serverUrl, `create database ${name}`)
    onTestFinished(() => dropDatabase(serverUrl, name))
    return withDatabase(serverUrl, name)
  }
  const server = await startDebianPostgres(debianPostgres)
  onTestFinished(() => server.stop())
  await server.execute('postgres', `create role bey login createrole password 'secret'`)
  await server.execute('postgres', 'create database bey owner bey')
  return server.url('bey').replace('//postgres:', '//bey:')
}

test('a server that was moved serves everything as before: people, secrets, runs, sandboxes and databases', async () => {
  const dataDir = temporaryDirectory()
  chmodSync(dataDir, 0o755)
  const env = { BEY_DATA_DIR: dataDir, BEY_SECRET_KEY: randomBytes(32).toString('base64') }
  const before = await startBeyProcess(env)
  onTestFinished(() => before.stop())
  const account = {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'difference-1!',
    organizationName: 'Ada',
  }
  const unknown = processApi(before, { token: '', organizationId: 0 } as GivenUser)
  const { token, user } = await unknown('POST', '/api/auth/signup', account)
  const as = { token, organizationId: user.organizations[0].id } as GivenUser
  const ask = processApi(before, as)

  const secret = await ask('POST', '/api/secrets', { name: 'canary', value: 'sings' })
  const steps = [
    {
      key: 'ask',
      name: 'Ask',
      type: 'approval',
      config: { question: 'Go on?', approvers: { allow_requester: true } },
    },
    { key: 'say', name: 'Say', type: 'script', needs: ['ask'], config: { code: 'return { said: true }' } },
  ]
  const { workflow } = await ask('POST', '/api/v1/workflows', { name: 'Move', steps })
  const { run } = await ask('POST', `/api/v1/workflows/${workflow.id}/runs`, {})
  const approval = await vi.waitFor(async () => {
    const { approvals } = await ask('GET', '/api/v1/workflows/approvals')
    expect(approvals).toHaveLength(1)
    return approvals[0]
  }, waiting)
  const cluster = await ask('POST', '/api/kubernetes/clusters', { title: 'kept', provider: 'sandbox' })
  const made = await ask('POST', '/api/databases', { provider: 'embedded', name: 'orders' })
  const [database] = await Promise.all([
    untilIs(ask, `/api/databases/${made.id}`, { status: 'available' }),
    untilIs(ask, `/api/kubernetes/clusters/${cluster.id}`, { status: 'RUNNING' }),
  ])
  const { value: password } = await ask('POST', `/api/secrets/${database.credential.id}/reveal`, {
    reason: 'Test',
  })
  await query(database.endpoint, password, 'create table kept as select 42 as answer')
  const namespaces = async (of: typeof ask) =>
    (await of('GET', `/api/kubernetes/clusters/${cluster.id}/namespaces`)).namespaces
  const found = await namespaces(ask)

  const url = await emptyDatabase()
  const running = await runOperator(['move-database', '--to', url], env)
  expect([running.code, running.notes]).toEqual([
    1,
    expect.stringContaining('Bey already runs on the data directory'),
  ])
  await before.stop()
  const moved = await runOperator(['move-database', '--to', url], env)
  expect([moved.code, moved.notes]).toEqual([0, expect.stringContaining('Set DATABASE_URL to')])
  expect(moved.notes).not.toContain('secret@')

  // Started without DATABASE_URL by mistake: nobody works on the state of before.
  await expect(openDatabase({ dataDir }, createLog({ level: 'silent' }))).rejects.toThrow(
    /^The embedded database was moved to .+\. Set DATABASE_URL to it\. .* remove .+moved-to\.$/,
  )

  const after = await startBeyProcess({ ...env, DATABASE_URL: url })
  onTestFinished(() => after.stop())
  const { email } = account
  await processApi(after, as)('GET', '/api/secrets')
  const login = await processApi(after, { token: '', organizationId: 0 } as GivenUser)(
    'POST',
    '/api/auth/login',
    {
      email,
      password: account.password,
    },
  )
  const again = processApi(after, { ...as, token: login.token })
  expect(await again('POST', `/api/secrets/${secret.id}/reveal`, { reason: 'Test' })).toMatchObject({
    value: 'sings',
  })
  await again('POST', `/api/v1/workflows/approvals/${approval.id}/decide`, { decision: 'approve' })
  await vi.waitFor(async () => {
    const { run: now } = await again('GET', `/api/v1/workflows/${workflow.id}/runs/${run.id}`)
    expect(now.status).toBe('completed')
  }, waiting)
  await untilIs(again, `/api/databases/${made.id}`, { status: 'available' })
  const { endpoint } = await again('GET', `/api/databases/${made.id}`)
  await vi.waitFor(
    async () => expect(await query(endpoint, password, 'select answer from kept')).toEqual([{ answer: 42 }]),
    waiting,
  )
  await vi.waitFor(async () => expect(await namespaces(again)).toEqual(found), waiting)
  await again('POST', '/api/audit/verify')
  await untilIs(again, '/api/audit/verification', { state: 'intact' })
}, 240_000)

const waiting = { timeout: 90_000, interval: 100 }

function untilIs(ask: ReturnType<typeof processApi>, path: string, expected: object) {
  return vi.waitFor(async () => {
    const found = await ask('GET', path)
    expect(found).toMatchObject(expected)
    return found
  }, waiting)
}
