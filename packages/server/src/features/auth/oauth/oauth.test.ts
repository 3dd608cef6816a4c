import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Ask, testApp } from '../../../testing/app.ts'
import { startGithubShaped } from '../../../testing/github-shaped.ts'
import { startOpenidProvider } from '../../../testing/openid-provider.ts'

const [idp, github] = [await startOpenidProvider(), await startGithubShaped()]
const { clientId, clientSecret } = github
const app = await testApp({
  oauth: {
    github: { clientId, clientSecret, issuer: github.url },
    oidc: { clientId: idp.clientId, clientSecret: idp.clientSecret, issuer: idp.issuer, label: 'Engines ID' },
  },
})
const { ask, given, database } = app
idp.serve(`${app.url}/api/auth/oauth/oidc/callback`)
afterAll(() => Promise.all([idp.stop(), github.stop()]))

let count = 0
beforeEach(() => {
  count += 1
  idp.refuses = false
  idp.account = {
    sub: `sub-${count}`,
    email: `ada-${count}@example.com`,
    email_verified: true,
    name: 'Ada Lovelace',
  }
})

type Id = 'oidc' | 'github'

async function start(id: Id = 'oidc', query = '', as: Ask = {}) {
  const reply = await ask('GET', `/api/auth/oauth/${id}${query}`, as)
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ...reply, cookie, authorizationUrl: reply.body?.authorizationUrl as string }
}

/** Follows a browser through the provider, to the address that it is sent back to. */
async function visit(authorizationUrl: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = authorizationUrl
  for (let hop = 0; hop < 10; hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/) ?? []
      jar.set(name, value)
    }
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`${reply.status} ${await reply.text()}`)
    url = new URL(location, url).href
    if (url.startsWith(app.url)) return url.slice(app.url.length)
  }
  throw new Error('The provider redirects for ever')
}

async function finish(path: string, cookie: string): Promise<Record<string, string>> {
  const reply = await ask('GET', path, { headers: { cookie } })
  expect(reply.status).toBe(302)
  const [page, hash = ''] = (reply.headers.get('location') ?? '').split('#')
  expect(page).toBe('/oauth/callback')
  return Object.fromEntries(new URLSearchParams(hash))
}

async function signIn(id: Id = 'oidc', query = '', as: Ask = {}) {
  const { authorizationUrl, cookie } = await start(id, query, as)
  const end = await finish(await visit(authorizationUrl), cookie)
  return { end, cookie }
}

const exchange = (code: string | undefined, cookie: string) =>
  ask('POST', '/api/auth/oauth/exchange', { body: { code }, headers: { cookie } })

const trail = async (organizationId: number) =>
  (
    await database.ownerPool.query<{ action: string; outcome: string; diff: Record<string, unknown> | null }>(
      'select action, outcome, diff from audit_entries where organization_id = $1 order by seq',
      [organizationId],
    )
  ).rows

test('anyone whom the provider names gets an account without an organization, and the same one the next time', async () => {
  const { end, cookie } = await signIn('oidc', '?from=/secrets')
  expect(end).toEqual({ provider: 'oidc', from: '/secrets', code: expect.stringMatching(/^bey_ticket_/) })
  const { status, body, headers } = await exchange(end['code'], cookie)
  expect(status).toBe(200)
  expect(body.user).toMatchObject({ email: idp.account.email, name: 'Ada Lovelace', organizations: [] })
  expect(headers.get('set-cookie')).toContain('bey-device-')
  expect((await ask('GET', '/api/auth/me', { token: body.token })).body.id).toBe(body.user.id)
  const again = await signIn()
  expect((await exchange(again.end['code'], again.cookie)).body.user.id).toBe(body.user.id)
})

test('a GitHub server signs in by the number of its user, with the primary address', async () => {
  const { end, cookie } = await signIn('github')
  const { body } = await exchange(end['code'], cookie)
  expect(body.user).toMatchObject({ email: 'ada@github.example', name: 'ada' })
  github.user = { ...github.user, login: 'ada-renamed' }
  const again = await signIn('github')
  expect((await exchange(again.end['code'], again.cookie)).body.user.id).toBe(body.user.id)
})

test('a browser that navigates is led to the provider, a call gets the address', async () => {
  const called = await start()
  expect([called.status, called.headers.get('location')]).toEqual([200, null])
  const url = new URL(called.authorizationUrl)
  expect(url.origin).toBe(idp.issuer)
  expect(url.searchParams.get('code_challenge_method')).toBe('S256')
  const led = await start('oidc', '', { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(led.status).toBe(302)
  expect(led.headers.get('location')).toMatch(new RegExp(`^${idp.issuer}/auth\\?`))
})

test('the options say which providers are set up, and one that is not refuses with a reason', async () => {
  const { body } = await ask('GET', '/api/auth/options')
  expect(body.providers).toEqual([
    { id: 'github', label: 'GitHub', isConfigured: true },
    { id: 'google', label: 'Google', isConfigured: false },
    { id: 'oidc', label: 'Engines ID', isConfigured: true },
  ])
  const refused = await ask('GET', '/api/auth/oauth/google')
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
})

test('a wrong state, one of another browser, and one that was used are refused', async () => {
  const { authorizationUrl, cookie } = await start()
  const path = await visit(authorizationUrl)
  const url = new URL(path, app.url)
  url.searchParams.set('state', `${url.searchParams.get('state')}x`)
  const mismatch = { provider: 'oidc', error: 'state_mismatch' }
  expect(await finish(url.pathname + url.search, cookie)).toEqual(mismatch)
  const other = await start()
  expect(other.cookie).not.toBe(cookie)
  expect(await finish(await visit(other.authorizationUrl), cookie)).toEqual(mismatch)
  expect(await finish(path, '')).toEqual(mismatch)
  expect(await finish(path, cookie)).toEqual(mismatch)
  const denied = (await trail(0)).filter(({ diff }) => diff?.['reason'] === 'state_mismatch')
  expect(denied.map(({ outcome }) => outcome)).toEqual(['denied', 'denied', 'denied', 'denied'])
})

test('a code of the provider is good once, and not for another sign-in', async () => {
  const first = await start()
  const path = await visit(first.authorizationUrl)
  expect(await finish(path, first.cookie)).toHaveProperty('code')
  const second = await start()
  const state = new URL(second.authorizationUrl).searchParams.get('state') ?? ''
  const url = new URL(path, app.url)
  url.searchParams.set('state', state)
  expect(await finish(url.pathname + url.search, second.cookie)).toMatchObject({ error: 'provider_failed' })
})

test('an identity that was made for another sign-in is refused by its nonce', async () => {
  const { authorizationUrl, cookie } = await start()
  const url = new URL(authorizationUrl)
  url.searchParams.set('nonce', 'of-another-sign-in')
  expect(await finish(await visit(url.href), cookie)).toMatchObject({ error: 'provider_failed' })
})

test('our own code is exchanged once, and only by the browser that began', async () => {
  const { end, cookie } = await signIn()
  const stolen = await exchange(end['code'], (await start()).cookie)
  expect([stolen.status, stolen.body.code]).toEqual([400, 'ticket_expired'])
  expect((await exchange(end['code'], cookie)).status).toBe(400)
  const again = await signIn()
  expect((await exchange(again.end['code'], again.cookie)).status).toBe(200)
  expect((await exchange(again.end['code'], again.cookie)).status).toBe(400)
})

test('an address that is not verified makes no account', async () => {
  idp.account.email_verified = false
  expect((await signIn()).end).toMatchObject({ error: 'email_unverified' })
  const { rows } = await database.ownerPool.query('select 1 from users where email = $1', [idp.account.email])
  expect(rows).toEqual([])
})

test('the address of an existing account links nothing, and its organization reads of the attempt', async () => {
  const user = await given.user({ email: idp.account.email, password: 'difference-1!' })
  expect((await signIn()).end).toMatchObject({ error: 'account_exists' })
  const { rows } = await database.ownerPool.query('select 1 from linked_accounts where user_id = $1', [
    user.id,
  ])
  expect(rows).toEqual([])
  expect(await trail(user.organizationId)).toContainEqual({
    action: 'session.begin',
    outcome: 'denied',
    diff: { method: 'oidc', reason: 'account_exists' },
  })
})

test('a user links an account in a confirmed session, signs in by it, and unlinks it', async () => {
  const user = await given.user({ password: 'difference-1!' })
  const { token } = user
  expect((await signIn('oidc', '?intent=link', { token })).end).toMatchObject({ done: 'link' })
  const { end, cookie } = await signIn()
  expect((await exchange(end['code'], cookie)).body.user.id).toBe(user.id)
  const { body } = await ask('GET', '/api/auth/security', { token })
  expect(body.linkedAccounts).toMatchObject([
    { provider: 'oidc', label: 'Engines ID', display: idp.account.email },
  ])
  const stranger = await given.user()
  expect((await signIn('oidc', '?intent=link', { token: stranger.token })).end).toMatchObject({
    error: 'already_linked',
  })
  expect((await ask('DELETE', '/api/auth/linked-accounts/oidc', { token })).status).toBe(204)
  expect((await trail(user.organizationId)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['user.link_account', 'user.unlink_account']),
  )
})

test('linking needs a live session that was confirmed a moment ago', async () => {
  expect((await start('oidc', '?intent=link')).status).toBe(401)
  const { token, sessionId } = await given.user()
  await database.ownerPool.query(
    `update sessions set confirmed_at = now() - interval '11 min' where id = $1`,
    [sessionId],
  )
  const late = await start('oidc', '?intent=link', { token })
  expect([late.status, late.body.code]).toEqual([403, 'step_up_required'])
})

test('a linked account confirms a session, and another one does not', async () => {
  const { token, sessionId } = await given.user()
  await signIn('oidc', '?intent=link', { token })
  const age = () =>
    database.ownerPool.query(`update sessions set confirmed_at = now() - interval '1 hour' where id = $1`, [
      sessionId,
    ])
  await age()
  expect((await ask('POST', '/api/auth/totp', { token })).body.code).toBe('step_up_required')
  expect((await signIn('oidc', '?intent=confirm', { token })).end).toMatchObject({ done: 'confirm' })
  expect((await ask('POST', '/api/auth/totp', { token })).status).toBe(200)
  await age()
  idp.account = { ...idp.account, sub: 'somebody-else' }
  expect((await signIn('oidc', '?intent=confirm', { token })).end).toMatchObject({ error: 'other_account' })
  expect((await ask('POST', '/api/auth/totp', { token })).status).toBe(403)
})

test('the only way to sign in cannot be removed', async () => {
  const { end, cookie } = await signIn()
  const { token } = (await exchange(end['code'], cookie)).body
  const refused = await ask('DELETE', '/api/auth/linked-accounts/oidc', { token })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect((await ask('GET', '/api/auth/security', { token })).body.linkedAccounts).toHaveLength(1)
})

test('where sign-up is by invitation a provider admits who was invited, and by the verified address alone', async () => {
  const { rows } = await database.ownerPool.query<{ id: number }>('select min(id) as id from organizations')
  const operator = await given.user({ organizationId: rows[0]?.id ?? 0, role: 'OWNER' })
  const { token, organizationId } = operator
  const takes = (signup: 'open' | 'invite') =>
    ask('PUT', '/api/instance/general', { token, body: { publicUrl: null, signup } })
  expect((await takes('invite')).status).toBe(200)
  expect((await signIn()).end['error']).toBe('signup_closed')
  const { email } = idp.account
  const invited = await ask('POST', '/api/invitations', {
    token,
    organizationId,
    headers: { 'idempotency-key': `invite-${email}` },
    body: { emails: [email], role: 'MEMBER' },
  })
  expect(invited.status).toBe(201)
  idp.account.email_verified = false
  expect((await signIn()).end['error']).toBe('email_unverified')
  idp.account.email_verified = true
  const { end, cookie } = await signIn('oidc', '?from=/invite')
  const { body } = await exchange(end['code'], cookie)
  expect(body.user).toMatchObject({ email, organizations: [] })
  const link = invited.body.results[0].link as string
  const accepted = await ask('POST', '/api/invitations/accept', {
    token: body.token,
    body: { token: link.split('#')[1] },
  })
  expect(accepted.body.organization).toMatchObject({ id: organizationId, role: 'MEMBER' })
  expect((await takes('open')).status).toBe(200)
})

test('a cancelled sign-in says so', async () => {
  idp.refuses = true
  expect((await signIn()).end).toMatchObject({ error: 'access_denied' })
})
