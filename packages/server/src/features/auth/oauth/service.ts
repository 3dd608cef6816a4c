import type { OauthProvider, OauthRefusal, SignInReply } from '@bey/contract'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import { requireRecentConfirmation } from '../../../platform/http/step-up.ts'
import type { InstanceSettings, ProviderSettings } from '../../instance/settings.ts'
import { auditStranger } from '../account-audit.ts'
import type { SignIn } from '../sign-in.ts'
import type { SignInMethod } from '../method.ts'
import { issueTicket, takeTicket, type Ticket } from '../tickets.ts'
import { userOfIdentity } from './arrival.ts'
import { browserCookie, browserHash } from './browser-cookie.ts'
import type { Identities } from './identity.ts'
import { confirmByIdentity, linkIdentity } from './own-account.ts'
import { isEmailTaken } from './store.ts'

type OauthQuery = { intent: 'login' | 'link' | 'confirm'; from?: string | undefined }
type CallbackQuery = Readonly<Record<string, string | undefined>>

/** How a browser comes back: with a one-time code, with something done, or with the reason why not. */
export type OauthEnd = { provider: OauthProvider; from?: string | undefined } & (
  | { code: string }
  | { done: 'link' | 'confirm' }
  | { error: OauthRefusal }
)

export type OauthService = {
  start(
    id: OauthProvider,
    query: OauthQuery,
    caller: PublicCaller,
  ): Promise<{ authorizationUrl: string; setCookie: string }>
  finish(id: OauthProvider, query: CallbackQuery, caller: PublicCaller): Promise<OauthEnd>
  exchange(code: string, caller: PublicCaller): Promise<SignInReply>
}

export type OauthOptions = {
  database: Pick<Database, 'asSystem'>
  clock: Clock
  developerEmail: string | undefined
  settings: Pick<InstanceSettings, 'provider' | 'signup'>
  identities: Identities
  signIn: SignIn
  /** Of the console, without a slash at the end. */
  address(caller: PublicCaller): Promise<string>
}

export function createOauthService(options: OauthOptions): OauthService {
  const { database, clock, settings, identities, signIn } = options
  const system = <T>(work: (db: Db) => Promise<T>) => database.asSystem('sign in with a provider', work)

  async function configured(id: OauthProvider): Promise<ProviderSettings> {
    const { value } = await settings.provider(id)
    if (value !== undefined) return value
    throw new AppError('conflict', 'This server is not set up for this provider. Use another way to sign in.')
  }

  return {
    async start(id, { intent, from }, caller) {
      const provider = await configured(id)
      const { session } = caller
      if (intent !== 'login' && session === undefined) {
        throw new AppError('unauthenticated', 'There is no live session for this request. Log in again.')
      }
      if (intent === 'link' && session) requireRecentConfirmation(session, clock)
      const origin = await options.address(caller)
      const { hash, setCookie } = browserCookie(caller.cookie, origin.startsWith('https:'))
      const agreement = {
        redirectUri: `${origin}/api/auth/oauth/${id}/callback`,
        state: `bey_ticket_${randomBytes(32).toString('base64url')}`,
        nonce: randomBytes(32).toString('base64url'),
        codeVerifier: randomBytes(32).toString('base64url'),
      }
      const authorizationUrl = await identities
        .authorizationUrl(provider, agreement, intent === 'confirm')
        .catch((cause: unknown) => {
          throw new AppError(
            'provider_unreachable',
            `${provider.label} does not answer as it should. Try again, or use another way to sign in.`,
            { cause },
          )
        })
      const { state: token, ...agreed } = agreement
      await system((db) =>
        issueTicket(db, 'oauth_start', {
          userId: intent === 'login' ? null : (session?.user.id ?? null),
          data: { provider: id, intent, ...agreed, browser: hash, from, sessionId: session?.sessionId },
          now: clock.now(),
          token,
        }),
      )
      return { authorizationUrl, setCookie }
    },

    async finish(id, { state, ...answer }, caller) {
      const ticket = await system(async (db) => {
        const taken =
          state === undefined ? undefined : await takeTicket(db, 'oauth_start', state, clock.now())
        const isOurs = taken?.data.provider === id && taken.data.browser === browserHash(caller.cookie)
        if (isOurs) return taken
        await auditStranger(db, caller, {
          action: 'session.begin',
          diff: { method: id, reason: 'state_mismatch' },
        })
        return undefined
      })
      if (ticket === undefined || state === undefined) return { provider: id, error: 'state_mismatch' }
      const end = await arrive(id, ticket, { ...answer, state }, caller)
      return { provider: id, from: ticket.data.from, ...end }
    },

    async exchange(code, caller) {
      const reply = await system(async (db) => {
        const ticket = await takeTicket(db, 'oauth_done', code, clock.now())
        if (ticket?.userId != null && ticket.data.browser === browserHash(caller.cookie)) {
          // The column holds what `arrive` wrote.
          const method = ticket.data.method as SignInMethod
          return signIn.begin(db, { userId: ticket.userId, method, isFirst: ticket.data.isNew }, caller)
        }
        await auditStranger(db, caller, { action: 'session.begin', diff: { reason: 'code_mismatch' } })
        return undefined
      })
      if (reply !== undefined) return reply
      throw new AppError('ticket_expired', 'This sign-in has expired. Begin it again.')
    },
  }

  async function arrive(
    id: OauthProvider,
    { data, userId: ownUserId }: Ticket<'oauth_start'>,
    answer: CallbackQuery & { state: string },
    caller: PublicCaller,
  ): Promise<{ code: string } | { done: 'link' | 'confirm' } | { error: OauthRefusal }> {
    const provider = await configured(id)
    const { redirectUri, nonce, codeVerifier, intent, browser } = data
    const identity = await identities.identify(
      provider,
      { redirectUri, nonce, codeVerifier, state: answer.state },
      answer,
    )
    if (typeof identity === 'string') {
      const act = { action: 'session.begin', diff: { method: id, reason: identity } }
      await system((db) => auditStranger(db, caller, act))
      return { error: identity }
    }
    const { developerEmail } = options
    const now = clock.now()
    if (intent !== 'login') {
      const own = { userId: ownUserId ?? 0, sessionId: data.sessionId ?? '', now, developerEmail }
      const act = intent === 'link' ? linkIdentity : confirmByIdentity
      const refusal = await system((db) => act(db, provider, identity, caller, own))
      return refusal === undefined ? { done: intent } : { error: refusal }
    }
    const { value: signup } = await settings.signup()
    const begin = () =>
      system(async (db) => {
        const outcome = await userOfIdentity(db, provider, identity, caller, { now, signup, developerEmail })
        if (typeof outcome === 'string') return { error: outcome }
        const { userId, isNew } = outcome
        const { token } = await issueTicket(db, 'oauth_done', {
          userId,
          data: { method: id, browser, isNew },
          now,
        })
        return { code: token }
      })
    // Somebody took the address in the same moment: asked again, it is there.
    return begin().catch((error: unknown) => (isEmailTaken(error) ? begin() : Promise.reject(error)))
  }
}
