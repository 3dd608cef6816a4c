import { afterAll, expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { startMailServer } from '../../testing/mail-server.ts'

const mails = await startMailServer()
afterAll(() => mails.stop())
const app = await testApp({
  trustedProxies: ['127.0.0.1'],
  oauth: { github: { clientId: 'of-environment', clientSecret: 'secret' } },
})
const { ask, given, database } = app
const operator = await given.user({ role: 'OWNER' })
const { token } = operator
const mailServer = new URL(mails.settings.url)
const smtp = {
  host: mailServer.hostname,
  port: Number(mailServer.port),
  security: 'none',
  user: '',
  from: 'bey@example.com',
}
const oidc = { clientId: 'bey', clientSecret: 'a-client-secret', issuer: 'https://login.example.com/' }

test('only an owner of the first organization reads and changes the settings', async () => {
  const admin = await given.user({ organizationId: operator.organizationId, role: 'ADMIN' })
  const elsewhere = await given.user({ role: 'OWNER' })
  expect((await ask('GET', '/api/instance', { token })).status).toBe(200)
  for (const other of [admin, elsewhere]) {
    const body = { publicUrl: 'https://evil.example', signup: 'open' }
    expect((await ask('GET', '/api/instance', { token: other.token })).body.code).toBe('forbidden')
    expect((await ask('PUT', '/api/instance/general', { token: other.token, body })).body.code).toBe(
      'forbidden',
    )
    expect((await ask('POST', '/api/instance/smtp/test', { token: other.token })).body.code).toBe('forbidden')
  }
})

test('what the environment sets wins, is shown as such, and cannot be changed here', async () => {
  const { body } = await ask('GET', '/api/instance', { token })
  expect(body.providers[0]).toMatchObject({ id: 'github', source: 'environment', clientId: 'of-environment' })
  expect(JSON.stringify(body)).not.toContain('"secret"')
  const refused = await ask('PUT', '/api/instance/providers/github', {
    token,
    body: { clientId: 'x', clientSecret: 'y' },
  })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
})

test('a provider that is stored can be signed in with, and its secret is sealed and never answered', async () => {
  const path = '/api/instance/providers/oidc'
  const missing = await ask('PUT', path, { token, body: { clientId: 'bey', issuer: oidc.issuer } })
  expect(missing.body.errors).toMatchObject([{ path: 'clientSecret' }])
  const { status, text } = await ask('PUT', path, { token, body: { ...oidc, label: 'Engines ID' } })
  expect(status).toBe(200)
  expect(text).not.toContain(oidc.clientSecret)
  const { rows } = await database.ownerPool.query(
    `select value::text || encode(secret, 'escape') as row from instance_settings where name = 'oauth.oidc'`,
  )
  expect(rows[0].row).not.toContain(oidc.clientSecret)
  const options = async () => (await ask('GET', '/api/auth/options')).body.providers
  expect(await options()).toContainEqual({ id: 'oidc', label: 'Engines ID', isConfigured: true })
  // The secret is kept for the same client of the same provider, and for no other.
  const same = { clientId: 'bey', issuer: 'https://login.example.com', label: 'ID' }
  expect((await ask('PUT', path, { token, body: same })).status).toBe(200)
  const other = { ...same, issuer: 'https://evil.example' }
  expect((await ask('PUT', path, { token, body: other })).body.errors).toMatchObject([
    { path: 'clientSecret' },
  ])
  expect((await ask('DELETE', path, { token })).status).toBe(200)
  expect((await options()).map(({ id }: { id: string }) => id)).toEqual(['github', 'google'])
})

test('a mail server is set, tested and used without a restart', async () => {
  const none = await ask('POST', '/api/instance/smtp/test', { token })
  expect(none.body).toEqual({ isSent: false, detail: 'No mail server is set.' })
  const { body } = await ask('PUT', '/api/instance/smtp', { token, body: smtp })
  expect(body.smtp).toMatchObject({ source: 'stored', host: smtp.host, hasPassword: false })
  const tested = await ask('POST', '/api/instance/smtp/test', { token })
  expect(tested.body).toEqual({ isSent: true, detail: `A test mail was sent to ${operator.email}.` })
  const { email } = await given.user({ password: 'difference-1!' })
  // Without a base address no link may lead to where the request says that it found us.
  const headers = { 'x-forwarded-host': 'evil.example' }
  expect((await ask('POST', '/api/auth/forgot-password', { body: { email }, headers })).body).toEqual({
    sendsMail: true,
  })
  await vi.waitFor(() => expect(mails.mails.flatMap(({ to }) => to)).toContain(email), { timeout: 60_000 })
  expect(mails.mails.at(-1)?.source).toMatch(/http:\/\/localhost:\d+\/reset-password#/)
  const wrong = { ...smtp, port: 1 }
  await ask('PUT', '/api/instance/smtp', { token, body: wrong })
  const failed = await ask('POST', '/api/instance/smtp/test', { token })
  expect(failed.body.isSent).toBe(false)
  expect(failed.body.detail).toContain('ECONNREFUSED')
})

test('closing the sign-up holds at once, and the change is in the trail', async () => {
  const person = {
    name: 'Ada',
    email: 'newcomer@example.com',
    password: 'difference-1!',
    organizationName: 'Engines',
  }
  const set = (signup: string) =>
    ask('PUT', '/api/instance/general', { token, body: { publicUrl: null, signup } })
  expect((await set('invite')).body.signup).toEqual({ source: 'stored', value: 'invite' })
  expect((await ask('POST', '/api/auth/signup', { body: person })).body.code).toBe('signup_closed')
  await set('open')
  expect((await ask('POST', '/api/auth/signup', { body: person })).status).toBe(201)
  const { rows } = await database.ownerPool.query(
    `select action, diff from audit_entries where organization_id = $1 and action = 'instance.update_general' order by seq`,
    [operator.organizationId],
  )
  expect(rows[0]).toEqual({
    action: 'instance.update_general',
    diff: { publicUrl: [null, null], signup: ['open', 'invite'] },
  })
})

test.each([
  ['an address with a path', { publicUrl: 'https://bey.example/x', signup: 'open' }, 'publicUrl'],
  ['an address of another kind', { publicUrl: 'javascript:alert(1)', signup: 'open' }, 'publicUrl'],
  ['an unknown mode', { publicUrl: null, signup: 'closed' }, 'signup'],
])('%s is refused at its field', async (_what, body, path) => {
  const reply = await ask('PUT', '/api/instance/general', { token, body })
  expect(reply.body).toMatchObject({ code: 'invalid_request', errors: [{ path }] })
})

test('how the server is, is for its operators, with what its limits stand at', async () => {
  const admin = await given.user({ organizationId: operator.organizationId, role: 'ADMIN' })
  expect((await ask('GET', '/api/instance/health', { token: admin.token })).body.code).toBe('forbidden')
  await database.ownerPool.query(
    `insert into instance_samples (name, at, value)
     select 'connections', now() - make_interval(days => day), 20 - day from generate_series(0, 9) day`,
  )
  const { status, body, text } = await ask('GET', '/api/instance/health', { token })
  expect(status, text).toBe(200)
  expect(body.checks.map(({ id }: { id: string }) => id)).toContain('disk')
  expect(body.database).toMatchObject({ isEmbedded: false })
  expect(body.database.tables[0].sizeBytes).toBeGreaterThan(0)
  const [first, ...others] = body.limits
  expect(first).toMatchObject({ id: 'connections', historyDays: 9 })
  expect(first.growthPerMonth).toBeCloseTo(30, 0)
  expect(
    others.map(({ id, growthPerMonth }: { id: string; growthPerMonth: unknown }) => [id, growthPerMonth]),
  ).toEqual(expect.arrayContaining([['disk', null]]))
})

test('a certificate for a name of before is no trouble, the one that is presented is', async () => {
  const certificate = async () => {
    const { body } = await ask('GET', '/api/instance/health', { token })
    return body.checks.find(({ id }: { id: string }) => id === 'certificate').status as string
  }
  await database.ownerPool.query(
    `insert into server_keys (name, sealed, public_pem, expires_at)
     values ('https-leaf:of before', '', 'of before', now() + interval '1 day')`,
  )
  expect(await certificate()).toBe('ok')
  await database.ownerPool.query(
    `update server_keys set expires_at = now() + interval '2 days' where name like 'https-leaf:%'`,
  )
  expect(await certificate()).toBe('warning')
})
