import { afterAll, expect, test } from 'vitest'
import type { GivenUser } from './testing/given.ts'
import { type Ask, type Reply, testApp } from './testing/app.ts'
import { testDatabase } from './testing/database.ts'
import { startOpenidProvider } from './testing/openid-provider.ts'
import { codeOf, enableTotp } from './testing/second-factor.ts'
import { createAuthenticator } from './testing/software-authenticator.ts'
import { createGiven } from './testing/given.ts'

// Every attack on who may come in is refused with a sentence that says the way out, and is in an audit log: that of the
// organization it was meant for, or the server's own where nobody knows one.

const database = await testDatabase()
const given = createGiven(database)
const idp = await startOpenidProvider()
afterAll(() => idp.stop())
const { ask, url, stop } = await testApp({
  databaseUrl: database.url,
  trustedProxies: ['127.0.0.1'],
  oauth: {
    oidc: { clientId: idp.clientId, clientSecret: idp.clientSecret, issuer: idp.issuer, label: 'Engines ID' },
  },
})
idp.serve(`${url}/api/auth/oauth/oidc/callback`)

const password = 'difference-1!'
const headers = { 'x-forwarded-host': 'bey.example' }
const origin = 'https://bey.example'
const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const serverTrail = 0

type Outcome = {
  /** Whose log has it. */
  in: number
  /** As the log says it. */
  entry: string
  refused: Pick<Reply, 'status' | 'body'>
  /** What the sentence says to do. */
  says: RegExp
}

async function invite(owner: GivenUser, email: string) {
  const body = { emails: [email], role: 'MEMBER', isMailed: false }
  const { results } = (await ask('POST', '/api/invitations', { ...as(owner), body })).body
  return { token: results[0].link.split('#')[1] as string, id: results[0].invitation.id as string }
}
const accept = ({ token }: GivenUser, invitation: { token: string }) =>
  ask('POST', '/api/invitations/accept', { token, body: { token: invitation.token } })

async function secured() {
  const user = await given.user({ password })
  const { secret, recoveryCodes } = await enableTotp({ ask }, user)
  const ticketOf = async () =>
    (await ask('POST', '/api/auth/login', { body: { email: user.email, password } })).body.secondFactor.ticket
  const complete = async (body: object) =>
    ask('POST', '/api/auth/second-factor', { body: { ticket: await ticketOf(), ...body } })
  return { user, secret, recoveryCodes, complete }
}

async function startOauth() {
  const reply = await ask('GET', '/api/auth/oauth/oidc')
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, state: new URL(reply.body.authorizationUrl).searchParams.get('state') ?? '' }
}

/** The page that a sign-in by provider ends on says what went wrong by a word in its address. */
async function returnFrom(state: string, code: string, cookie: string) {
  const path = `/api/auth/oauth/oidc/callback?state=${state}&code=${code}&iss=${encodeURIComponent(idp.issuer)}`
  const reply = await ask('GET', path, { headers: { cookie } })
  return { status: reply.status, body: { detail: reply.headers.get('location') } }
}

async function keyOf(owner: GivenUser, input: object = {}) {
  const body = { name: 'ci', isPersonal: false, permissions: ['clusters.read'], ...input }
  return (await ask('POST', '/api/api-keys', { ...as(owner), body })).body as { token: string }
}

const clusters = (asking: Ask) => ask('GET', '/api/kubernetes/clusters', asking)

const attacks: Record<string, () => Promise<Outcome>> = {
  'an invitation taken by another address': async () => {
    const [owner, thief] = [await given.user(), await given.user()]
    const refused = await accept(thief, await invite(owner, 'guest@example.com'))
    return {
      in: owner.organizationId,
      entry: 'invitation.accept',
      refused,
      says: /Log out, then open the link/,
    }
  },
  'an invitation taken twice at once': async () => {
    const [owner, guest] = [await given.user(), await given.user()]
    const invitation = await invite(owner, guest.email)
    const replies = await Promise.all([accept(guest, invitation), accept(guest, invitation)])
    const refused = replies.find(({ status }) => status !== 200) ?? replies[0]
    return {
      in: owner.organizationId,
      entry: 'invitation.accept',
      refused,
      says: /Log in to open the organization/,
    }
  },
  'an invitation taken after it was revoked': async () => {
    const [owner, guest] = [await given.user(), await given.user()]
    const invitation = await invite(owner, guest.email)
    await ask('DELETE', `/api/invitations/${invitation.id}`, as(owner))
    const refused = await accept(guest, invitation)
    return {
      in: owner.organizationId,
      entry: 'invitation.accept',
      refused,
      says: /Ask the person who invited you for another one/,
    }
  },
  'an account made by a revoked invitation': async () => {
    const owner = await given.user()
    const invitation = await invite(owner, 'late@example.com')
    await ask('DELETE', `/api/invitations/${invitation.id}`, as(owner))
    const body = { token: invitation.token, name: 'Late', password }
    const refused = await ask('POST', '/api/invitations/signup', { body })
    return {
      in: owner.organizationId,
      entry: 'invitation.accept',
      refused,
      says: /Ask the person who invited you for another one/,
    }
  },
  'the last owner leaving': async () => {
    const owner = await given.user()
    const refused = await ask('POST', '/api/organization/leave', as(owner))
    return { in: owner.organizationId, entry: 'member.leave', refused, says: /Transfer the ownership first/ }
  },
  'two owners who demote each other': async () => {
    const owner = await given.user()
    const other = await given.user({ organizationId: owner.organizationId, role: 'OWNER' })
    const demote = (by: GivenUser, { id }: GivenUser) =>
      ask('PATCH', `/api/members/${id}`, { ...as(by), body: { role: 'MEMBER' } })
    const replies = await Promise.all([demote(owner, other), demote(other, owner)])
    const refused = replies.find(({ status }) => status !== 200) ?? replies[0]
    // The later one is refused where it changes the row, or at the door already.
    const says = /ask an owner or admin|An owner or admin of the organization can change it/
    return { in: owner.organizationId, entry: 'access.refuse', refused, says }
  },
  'a provider’s answer with a wrong state': async () => {
    const { cookie } = await startOauth()
    const refused = await returnFrom('of-nobody', 'code', cookie)
    return { in: serverTrail, entry: 'session.begin', refused, says: /error=state_mismatch/ }
  },
  'a code that the provider does not know any more': async () => {
    const { state, cookie } = await startOauth()
    const refused = await returnFrom(state, 'used-before', cookie)
    return { in: serverTrail, entry: 'session.begin', refused, says: /error=provider_failed/ }
  },
  'a code of the app used again': async () => {
    const { user, secret, complete } = await secured()
    const code = codeOf(secret, 1)
    await complete({ code })
    const refused = await complete({ code })
    return {
      in: user.organizationId,
      entry: 'session.second_factor',
      refused,
      says: /Wait for the next one in your app/,
    }
  },
  'a recovery code used again': async () => {
    const { user, recoveryCodes, complete } = await secured()
    await complete({ recoveryCode: recoveryCodes[0] })
    const refused = await complete({ recoveryCode: recoveryCodes[0] })
    return { in: user.organizationId, entry: 'session.second_factor', refused, says: /Enter another one/ }
  },
  'a passkey of another site': async () => {
    const { token } = await given.user()
    const authenticator = createAuthenticator({ origin })
    const made = await ask('POST', '/api/auth/passkeys/options', { token, headers })
    const passkey = authenticator.create(made.body.options)
    await ask('POST', '/api/auth/passkeys', { token, headers, body: { name: 'Laptop', passkey } })
    const asked = await ask('POST', '/api/auth/passkey-options', { body: {}, headers })
    const stolen = authenticator.get(asked.body.options, { at: 'https://evil.test', party: 'evil.test' })
    const refused = await ask('POST', '/api/auth/passkey', { body: { passkey: stolen }, headers })
    return {
      in: serverTrail,
      entry: 'session.begin',
      refused,
      says: /Log in with your password or another passkey/,
    }
  },
  'a link to a new password that nobody sent, or that was used': async () => {
    const body = { token: 'bey_reset_unknown', password }
    const refused = await ask('POST', '/api/auth/reset-password', { body })
    return { in: serverTrail, entry: 'user.reset_password', refused, says: /Ask for another one/ }
  },
  'an API key with a broken checksum': async () => {
    const { token } = await keyOf(await given.user())
    const refused = await clusters({ token: token.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })
    return { in: serverTrail, entry: 'api_key.refused', refused, says: /Make a new one/ }
  },
  'an API key from an address that it does not allow': async () => {
    const owner = await given.user()
    const { token } = await keyOf(owner, { allowedAddresses: ['203.0.113.0/24'] })
    const refused = await clusters({ token, headers: { 'x-forwarded-for': '198.51.100.1' } })
    return {
      in: owner.organizationId,
      entry: 'api_key.refused',
      refused,
      says: /from one of its allowed networks/,
    }
  },
  'an API key beyond its permissions': async () => {
    const owner = await given.user()
    const { token } = await keyOf(owner)
    const refused = await ask('GET', '/api/secrets', { token })
    return { in: owner.organizationId, entry: 'api_key.refused', refused, says: /Make a key that has it/ }
  },
  'an API key for another organization': async () => {
    const owner = await given.user()
    const { token } = await keyOf(owner)
    const refused = await clusters({ token, organizationId: (await given.user()).organizationId })
    return { in: owner.organizationId, entry: 'api_key.refused', refused, says: /Choose one of yours/ }
  },
  'a session in another organization': async () => {
    const [stranger, { organizationId }] = [await given.user(), await given.user()]
    const refused = await clusters({ token: stranger.token, organizationId })
    return { in: organizationId, entry: 'access.refuse', refused, says: /Choose one of yours/ }
  },
  'a session in an organization that does not exist': async () => {
    const refused = await clusters({ token: (await given.user()).token, organizationId: 2_000_000_000 })
    return { in: serverTrail, entry: 'access.refuse', refused, says: /Choose one of yours/ }
  },
  'a role that may not': async () => {
    const { organizationId } = await given.user()
    const viewer = await given.user({ organizationId, role: 'VIEWER' })
    const refused = await ask('GET', '/api/audit', as(viewer))
    return { in: organizationId, entry: 'access.refuse', refused, says: /owner or admin .* can change it/ }
  },
  'a webhook to the metadata address': async () => {
    const owner = await given.user()
    const body = { name: 'x', url: 'http://169.254.169.254/', events: ['run.updated'] }
    const refused = await ask('POST', '/api/webhooks', { ...as(owner), body })
    return { in: owner.organizationId, entry: 'address.refuse', refused, says: /Use another address/ }
  },
  'a webhook to the metadata address in the shape of IPv6': async () => {
    const owner = await given.user()
    const body = { name: 'x', url: 'http://[::ffff:169.254.169.254]/', events: ['run.updated'] }
    const refused = await ask('POST', '/api/webhooks', { ...as(owner), body })
    return { in: owner.organizationId, entry: 'address.refuse', refused, says: /Use another address/ }
  },
}

type Row = { organizationId: number; action: string }

async function refusalsInLogs(): Promise<Row[]> {
  const { rows } = await database.ownerPool.query<Row>(
    `select organization_id as "organizationId", action from audit_entries
     where outcome in ('denied', 'failure') order by seq`,
  )
  return rows
}

test('every attack is refused with a way out, and is in the log of whom it was meant for', async () => {
  const outcomes: [string, Outcome][] = []
  for (const [name, attack] of Object.entries(attacks)) outcomes.push([name, await attack()])
  // Stopping writes what was counted until then.
  await stop()
  const logged = await refusalsInLogs()
  const placeOf = (organizationId: number, action: string) => `${organizationId} ${action}`
  const entries = logged.map(({ organizationId, action }) => placeOf(organizationId, action))
  const missing = outcomes.filter(([, { in: organizationId, entry }]) => {
    const found = entries.indexOf(placeOf(organizationId, entry))
    // An entry is there for one attack.
    if (found !== -1) entries.splice(found, 1)
    return found === -1
  })
  expect(missing.map(([name]) => name)).toEqual([])
  const unclear = outcomes.filter(([, { refused, says }]) => !says.test(String(refused.body?.detail)))
  expect(unclear.map(([name, { refused }]) => [name, refused.status, refused.body?.detail])).toEqual([])
  const accepted = outcomes.filter(([, { refused }]) => refused.status < 300)
  expect(accepted.map(([name]) => name)).toEqual([])
})
