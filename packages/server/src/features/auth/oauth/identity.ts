import type { OauthRefusal } from '@bey/contract'
import type * as openid from 'openid-client'
import { z } from 'zod'
import type { ProviderSettings } from '../../instance/settings.ts'
import { type Discovery, library } from './discovery.ts'

/** Whom a provider says that somebody is. */
export type Identity = {
  /** Together with the subject it names one account for ever. */
  issuer: string
  subject: string
  /** Lower case. */
  email: string | undefined
  isEmailVerified: boolean
  name: string
  /** What people know the account by: the address, or a login name. */
  display: string
}

/** What was agreed when the browser was sent off. */
type Agreement = { redirectUri: string; state: string; nonce: string; codeVerifier: string }

export type Identities = {
  authorizationUrl(settings: ProviderSettings, agreement: Agreement, isFresh: boolean): Promise<string>
  /** Exchanges the provider's code (RFC 6749, RFC 7636, OpenID Connect Core) and answers who it is, or why not. */
  identify(
    settings: ProviderSettings,
    agreement: Agreement,
    answer: Readonly<Record<string, string | undefined>>,
  ): Promise<Identity | OauthRefusal>
}

export function createIdentities(discover: Discovery): Identities {
  return {
    async authorizationUrl(settings, { redirectUri, state, nonce, codeVerifier }, isFresh) {
      const [client, configuration] = [await library(), await discover(settings)]
      const isGithub = settings.id === 'github'
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: isGithub ? 'read:user user:email' : 'openid email profile',
        state,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(isGithub ? {} : { nonce }),
        ...(isFresh && !isGithub ? { prompt: 'login' } : {}),
      })
      return url.href
    },

    async identify(settings, { redirectUri, state, nonce, codeVerifier }, answer) {
      const [client, configuration] = [await library(), await discover(settings)]
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(answer))
        if (value !== undefined) url.searchParams.set(name, value)
      try {
        const isGithub = settings.id === 'github'
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          ...(isGithub ? {} : { expectedNonce: nonce, idTokenExpected: true }),
        })
        return isGithub
          ? await githubIdentity(settings, configuration, tokens.access_token)
          : await openidIdentity(configuration, tokens)
      } catch (error) {
        if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
          return 'access_denied'
        if (error instanceof Error) return 'provider_failed'
        throw error
      }
    },
  }
}

const claimSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(254).optional(),
  // Some providers send the text "true".
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
})

async function openidIdentity(
  configuration: openid.Configuration,
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
): Promise<Identity | OauthRefusal> {
  const claims = tokens.claims()
  if (claims === undefined) return 'provider_failed'
  const client = await library()
  // Many providers put the address into the user info alone.
  const info =
    claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {}
  const { sub, email, email_verified, name, preferred_username } = claimSchema.parse({ ...info, ...claims })
  return {
    issuer: configuration.serverMetadata().issuer,
    subject: sub,
    email: email?.trim().toLowerCase(),
    isEmailVerified: email_verified === true || email_verified === 'true',
    name: name ?? preferred_username ?? '',
    display: email ?? preferred_username ?? sub,
  }
}

const githubUser = z.object({ id: z.number().int(), login: z.string(), name: z.string().nullish() })
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub is no OpenID provider: its API says who the token belongs to (https://docs.github.com/en/rest/users). */
async function githubIdentity(
  { issuer }: ProviderSettings,
  configuration: openid.Configuration,
  accessToken: string,
): Promise<Identity> {
  const client = await library()
  const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`
  const read = async (path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'Bey' })
    const url = new URL(`${api}${path}`)
    const reply = await client.fetchProtectedResource(
      configuration,
      accessToken,
      url,
      'GET',
      undefined,
      headers,
    )
    if (!reply.ok) throw new Error(`GitHub answered ${reply.status} to ${path}`)
    return reply.json()
  }
  const user = githubUser.parse(await read('/user'))
  const primary = githubEmails.parse(await read('/user/emails')).find((each) => each.primary)
  return {
    issuer,
    // The login name can be given up and taken by somebody else; the number cannot.
    subject: String(user.id),
    email: primary?.email.trim().toLowerCase(),
    isEmailVerified: primary?.verified === true,
    name: user.name ?? user.login,
    display: user.login,
  }
}
