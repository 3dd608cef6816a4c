import { z } from 'zod'
import { email, newPassword, secondFactorMethods, session, signInReply } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp } from '../base/schema.ts'
import { passkeyAssertion, passkeyOptions, secondFactorInput, stepUpInput } from './sign-in-schema.ts'

export const oauthProviders = ['github', 'google', 'oidc'] as const
export type OauthProvider = (typeof oauthProviders)[number]

const provider = z
  .object({
    id: z.enum(oauthProviders),
    /** As on its button. */
    label: z.string(),
    isConfigured: z.boolean(),
  })
  .meta({ id: 'SignInProvider' })
export type SignInProvider = z.infer<typeof provider>

const providerParams = z.object({ provider: z.enum(oauthProviders) })

export const signInEndpoints = {
  'auth.options': endpoint({
    method: 'GET',
    path: '/api/auth/options',
    summary: 'How people can sign in to this server',
    access: 'public',
    response: z.object({
      providers: z.array(provider).max(3),
      /** Why passkeys cannot be used at this address; null where they can. */
      passkeyRefusal: z.string().nullable(),
      signup: z.enum(['open', 'invite']),
      /** Whether links are sent by mail; otherwise the operator finds them in the outbox. */
      sendsMail: z.boolean(),
    }),
  }),
  'auth.secondFactor': endpoint({
    method: 'POST',
    path: '/api/auth/second-factor',
    summary: 'Complete a sign-in with a second factor',
    access: 'public',
    body: secondFactorInput,
    response: session,
    rateLimit: 'code',
    errors: ['invalid_credentials', 'ticket_expired', 'conflict'],
  }),
  'auth.stepUp': endpoint({
    method: 'POST',
    path: '/api/auth/step-up',
    summary: 'Confirm who is there, for acts that ask for a recent confirmation',
    access: 'user',
    body: stepUpInput,
    response: z.object({ validUntil: timestamp }),
    rateLimit: 'password',
    errors: ['invalid_credentials', 'conflict'],
  }),
  'auth.stepUpMethods': endpoint({
    method: 'GET',
    path: '/api/auth/step-up',
    summary: 'How the user can confirm who they are',
    access: 'user',
    response: z.object({
      methods: z.array(z.enum(['password', ...secondFactorMethods])).max(4),
      validUntil: timestamp,
    }),
  }),
  'auth.forgotPassword': endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    summary: 'Send a link to choose a new password; the answer is the same for addresses without an account',
    access: 'public',
    body: z.strictObject({ email }),
    response: z.object({ sendsMail: z.boolean() }),
    status: 202,
    rateLimit: 'mail',
  }),
  'auth.resetPassword': endpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    summary: 'Choose a new password by a link; every session of the account is ended',
    access: 'public',
    body: z.strictObject({ token: z.string().min(1).max(200), password: newPassword }),
    response: z.object({ endedSessions: z.number().int() }),
    rateLimit: 'link',
    errors: ['ticket_expired'],
  }),
  'auth.startOauth': endpoint({
    method: 'GET',
    path: '/api/auth/oauth/{provider}',
    summary: 'Where to sign in with another provider; browsers that navigate here are redirected there',
    access: 'public',
    mayHaveSession: true,
    hasEffect: true,
    params: providerParams,
    query: z.object({
      /** `link` and `confirm` need a session. */
      intent: z.enum(['login', 'link', 'confirm']).default('login'),
      /** The page of the console to open afterwards. */
      from: z.string().max(2000).optional(),
    }),
    response: z.object({ authorizationUrl: z.url() }),
    alsoAnswers: [302],
    rateLimit: 'oauth',
    errors: ['conflict', 'unauthenticated', 'step_up_required', 'provider_unreachable'],
  }),
  'auth.finishOauth': endpoint({
    method: 'GET',
    path: '/api/auth/oauth/{provider}/callback',
    summary: 'Where the provider sends the browser back to; redirects to the console with a one-time code',
    access: 'public',
    hasEffect: true,
    params: providerParams,
    query: z.object({
      state: z.string().max(500).optional(),
      code: z.string().max(4000).optional(),
      error: z.string().max(500).optional(),
      error_description: z.string().max(2000).optional(),
      iss: z.string().max(2000).optional(),
    }),
    takesAnyQuery: true,
    response: { mediaType: 'text/html' },
    status: 302,
  }),
  'auth.exchangeOauth': endpoint({
    method: 'POST',
    path: '/api/auth/oauth/exchange',
    summary: 'Exchange the one-time code of a sign-in with another provider for a session',
    access: 'public',
    body: z.strictObject({ code: z.string().min(1).max(200) }),
    response: signInReply,
    errors: ['ticket_expired'],
  }),
  'auth.passkeyOptions': endpoint({
    method: 'POST',
    path: '/api/auth/passkey-options',
    summary: 'What the browser needs to sign in, continue or confirm with a passkey',
    access: 'public',
    mayHaveSession: true,
    /** The ticket of a second step; without one a session confirms, and without either anybody signs in. */
    body: z.strictObject({ ticket: z.string().max(200).optional() }),
    response: passkeyOptions,
    rateLimit: 'passkey',
    errors: ['conflict', 'ticket_expired'],
  }),
  'auth.passkeyLogin': endpoint({
    method: 'POST',
    path: '/api/auth/passkey',
    summary: 'Log in with a passkey alone',
    access: 'public',
    body: z.strictObject({ passkey: passkeyAssertion }),
    response: session,
    errors: ['invalid_credentials', 'conflict'],
  }),
} as const
