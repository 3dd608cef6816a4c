import { browserCookie } from './oauth/browser-cookie.ts'
import { issueTicket } from './tickets.ts'
import type { GivenUser } from '../../testing/given.ts'
import { codeOf, enableTotp } from '../../testing/second-factor.ts'
import { createAuthenticator } from '../../testing/software-authenticator.ts'
import { newName, type SweepCalls, type World } from '../../testing/sweep.ts'

const password = 'difference-1!'
/** Passkeys need a host name. */
const headers = { 'x-forwarded-host': 'localhost' }
const origin = 'http://localhost'

async function ticketOf({ app }: World): Promise<{ ticket: string; recoveryCode: string }> {
  const user = await app.given.user({ password })
  const { recoveryCodes } = await enableTotp(app, user)
  const { body } = await app.ask('POST', '/api/auth/login', { body: { email: user.email, password } })
  return { ticket: body.secondFactor.ticket, recoveryCode: recoveryCodes[0] ?? '' }
}

/** A passkey of the user, and what made it. */
async function passkeyOf({ app }: World, { token }: GivenUser) {
  const authenticator = createAuthenticator({ origin })
  const { body } = await app.ask('POST', '/api/auth/passkeys/options', { token, headers })
  return { name: 'Laptop', passkey: authenticator.create(body.options), authenticator }
}

async function keptPasskey(world: World, user: GivenUser) {
  const { authenticator, ...body } = await passkeyOf(world, user)
  await world.app.ask('POST', '/api/auth/passkeys', { token: user.token, headers, body })
  return authenticator
}

/** The code that a terminal shows and the one that its program keeps. */
async function deviceLoginOf({ app }: World) {
  const { body } = await app.ask('POST', '/api/auth/device', { body: sweepProgram })
  return { code: body.userCode as string, deviceCode: body.deviceCode as string }
}

const sweepProgram = { hostName: 'ada-laptop', client: 'bey', version: '0.1.0', platform: 'linux' }

export const sweepCalls: SweepCalls = {
  'deviceLogin.begin': { call: () => ({ body: sweepProgram }) },
  'deviceLogin.poll': {
    call: async (world) => ({ body: { deviceCode: (await deviceLoginOf(world)).deviceCode } }),
  },
  'deviceLogin.get': { call: async (world) => ({ params: { code: (await deviceLoginOf(world)).code } }) },
  'deviceLogin.confirm': {
    call: async (world) => ({ params: { code: (await deviceLoginOf(world)).code }, body: {} }),
  },
  'deviceLogin.refuse': { call: async (world) => ({ params: { code: (await deviceLoginOf(world)).code } }) },
  'auth.login': {
    async call({ app }) {
      const { email } = await app.given.user({ password: 'difference-1!' })
      return { body: { email, password: 'difference-1!' } }
    },
  },
  'auth.signup': {
    call: () => ({
      body: {
        name: 'Ada',
        email: `${newName()}@example.com`,
        password: 'difference-1!',
        organizationName: 'Engines',
      },
    }),
  },
  'auth.rename': { call: () => ({ body: { name: newName() } }) },
  'auth.changePassword': {
    async call({ app }, user) {
      await app.given.password(user, 'difference-1!')
      return { body: { currentPassword: 'difference-1!', newPassword: 'analytical-2!' } }
    },
  },
  'godmode.impersonate': { call: async ({ app }) => ({ body: { userId: (await app.given.user()).id } }) },
  'auth.secondFactor': { call: async (world) => ({ body: await ticketOf(world) }) },
  'auth.stepUp': {
    async call({ app }, user) {
      await app.given.password(user, password)
      return { body: { password } }
    },
  },
  'auth.forgotPassword': { call: () => ({ body: { email: 'nobody@example.com' } }) },
  'auth.resetPassword': {
    async call({ app }) {
      const { id } = await app.given.user()
      const { token } = await app.database.asSystem('test', (db) =>
        issueTicket(db, 'password_reset', { userId: id, data: {}, now: new Date() }),
      )
      return { body: { token, password } }
    },
  },
  'auth.startOauth': { call: () => ({ params: { provider: 'github' } }) },
  'auth.finishOauth': { call: () => ({ params: { provider: 'github' }, query: 'state=unknown' }) },
  'auth.exchangeOauth': {
    async call({ app }) {
      const { hash, setCookie } = browserCookie(undefined, false)
      const { id } = await app.given.user()
      const { token } = await app.database.asSystem('test', (db) =>
        issueTicket(db, 'oauth_done', {
          userId: id,
          data: { method: 'github', browser: hash, isNew: false },
          now: new Date(),
        }),
      )
      return { body: { code: token }, headers: { cookie: setCookie.split(';')[0] ?? '' } }
    },
  },
  'auth.passkeyOptions': { call: () => ({ body: {}, headers }) },
  'auth.passkeyLogin': {
    async call(world) {
      const authenticator = await keptPasskey(world, await world.app.given.user())
      const { body } = await world.app.ask('POST', '/api/auth/passkey-options', { body: {}, headers })
      return { body: { passkey: authenticator.get(body.options) }, headers }
    },
  },
  'account.confirmTotp': {
    async call({ app }, { token }) {
      const { body } = await app.ask('POST', '/api/auth/totp', { token })
      return { body: { code: codeOf(body.secret) } }
    },
  },
  'account.renewRecoveryCodes': {
    async call({ app }, user) {
      await enableTotp(app, user)
      return {}
    },
  },
  'account.passkeyOptions': { call: () => ({ headers }) },
  'account.addPasskey': {
    async call(world, user) {
      const { authenticator: _made, ...body } = await passkeyOf(world, user)
      return { body, headers }
    },
  },
  'account.removePasskey': {
    async call(world, user) {
      await world.app.given.password(user, password)
      return { params: { id: (await keptPasskey(world, user)).id } }
    },
  },
  'account.unlink': {
    async call({ app }, user) {
      await app.given.password(user, password)
      await app.database.ownerPool.query(
        `insert into linked_accounts (issuer, subject, user_id, provider, display)
         values ('https://github.com', $1::int::text, $1::int, 'github', 'ada')`,
        [user.id],
      )
      return { params: { provider: 'github' } }
    },
  },
  'account.endSession': {
    async call({ app }, user) {
      await app.given.password(user, password)
      const { body } = await app.ask('POST', '/api/auth/login', { body: { email: user.email, password } })
      const { body: list } = await app.ask('GET', '/api/auth/sessions', { token: body.token })
      const other = list.sessions.find((each: { isCurrent: boolean }) => each.isCurrent)
      return { params: { id: other.id } }
    },
  },
  'account.endToken': {
    async call({ app }, user) {
      return { params: { id: (await app.given.apiKey(user)).id } }
    },
  },
}
