import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { nameText, numericId, pageQuery, paged, timestamp, uuid } from '../base/schema.ts'
import { oauthProviders } from './sign-in.ts'
import { passkeyAttestation, passkeyOptions, totpCode } from './sign-in-schema.ts'

/** Passkeys that one user may have. */
export const maxPasskeys = 20

const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The host name that it is good for. */
    relyingParty: z.string(),
    isBackedUp: z.boolean(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkey>

const linkedAccount = z
  .object({
    provider: z.enum(oauthProviders),
    label: z.string(),
    /** What the provider calls it. */
    display: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'LinkedAccount' })
export type LinkedAccount = z.infer<typeof linkedAccount>

const sessionRow = z
  .object({
    id: uuid,
    isCurrent: z.boolean(),
    ip: z.string().nullable(),
    userAgent: z.string(),
    /** The machine whose program was logged in by code; null of a browser. */
    deviceName: z.string().nullable(),
    method: z.string(),
    createdAt: timestamp,
    /** To the hour. */
    lastUsedAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'SessionRow' })
export type SessionRow = z.infer<typeof sessionRow>

/** What acts for a person without a session: a personal API key, or the token inside a downloaded kubeconfig. */
const tokenRow = z
  .object({
    id: uuid,
    kind: z.enum(['api_key', 'kubeconfig']),
    /** Of a kubeconfig the machine that downloaded it. */
    name: z.string(),
    organization: z.object({ id: numericId, name: z.string() }),
    /** The first characters of the key, or the cluster of the kubeconfig. */
    detail: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'TokenRow' })
export type TokenRow = z.infer<typeof tokenRow>

const recoveryCodes = z.object({
  /** Shown once. */
  recoveryCodes: z.array(z.string()).max(10),
})

/** What secures the caller's own account. */
export const accountSecurityEndpoints = {
  'account.security': endpoint({
    method: 'GET',
    path: '/api/auth/security',
    summary: 'What secures the account of the logged-in user',
    access: 'user',
    response: z.object({
      hasPassword: z.boolean(),
      totp: z.object({ confirmedAt: timestamp }).nullable(),
      recoveryCodesLeft: z.number().int(),
      passkeys: z.array(passkey).max(maxPasskeys),
      linkedAccounts: z.array(linkedAccount).max(3),
    }),
  }),
  'account.beginTotp': endpoint({
    method: 'POST',
    path: '/api/auth/totp',
    summary:
      'Make the secret for an authenticator app; it counts, and replaces the one in use, once a code of it was entered',
    access: 'user',
    stepUp: true,
    response: z.object({ secret: z.string(), uri: z.string() }),
  }),
  'account.confirmTotp': endpoint({
    method: 'PUT',
    path: '/api/auth/totp',
    summary: 'Turn two-factor authentication on with a first code of the app',
    access: 'user',
    body: z.strictObject({ code: totpCode }),
    outdates: ['/api/auth/security'],
    response: recoveryCodes,
    rateLimit: 'code',
    errors: ['invalid_credentials', 'conflict'],
  }),
  'account.disableTotp': endpoint({
    method: 'DELETE',
    path: '/api/auth/totp',
    summary: 'Turn two-factor authentication by app off',
    access: 'user',
    stepUp: true,
    outdates: ['/api/auth/security'],
    response: z.null(),
    status: 204,
    errors: ['conflict'],
  }),
  'account.renewRecoveryCodes': endpoint({
    method: 'POST',
    path: '/api/auth/recovery-codes',
    summary: 'Replace all recovery codes',
    access: 'user',
    stepUp: true,
    outdates: ['/api/auth/security'],
    response: recoveryCodes,
    errors: ['conflict'],
  }),
  'account.passkeyOptions': endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/options',
    summary: 'What the browser needs to make a passkey',
    access: 'user',
    stepUp: true,
    response: passkeyOptions,
    errors: ['conflict', 'limit_reached'],
  }),
  'account.addPasskey': endpoint({
    method: 'POST',
    path: '/api/auth/passkeys',
    summary: 'Keep a passkey that the browser has made',
    access: 'user',
    body: z.strictObject({ name: nameText(), passkey: passkeyAttestation }),
    outdates: ['/api/auth/security'],
    response: passkey,
    status: 201,
    rateLimit: 'passkey',
    errors: ['invalid_credentials', 'limit_reached', 'conflict'],
  }),
  'account.removePasskey': endpoint({
    method: 'DELETE',
    path: '/api/auth/passkeys/{id}',
    summary: 'Remove a passkey',
    access: 'user',
    stepUp: true,
    params: z.object({ id: z.string().max(1400) }),
    outdates: ['/api/auth/security'],
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  'account.unlink': endpoint({
    method: 'DELETE',
    path: '/api/auth/linked-accounts/{provider}',
    summary: 'Remove the link to an account of another provider',
    access: 'user',
    stepUp: true,
    params: z.object({ provider: z.enum(oauthProviders) }),
    outdates: ['/api/auth/security'],
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  'account.sessions': endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'Where the user is logged in, the latest first',
    access: 'user',
    query: pageQuery.omit({ order: true }),
    response: paged('sessions', sessionRow),
  }),
  'account.endSession': endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: 'End a session of the user; what is open by it is closed',
    access: 'user',
    params: z.object({ id: uuid }),
    outdates: ['/api/auth/sessions'],
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'account.tokens': endpoint({
    method: 'GET',
    path: '/api/auth/tokens',
    summary: 'Live API keys and kubeconfig tokens of the user in all their organizations, the newest first',
    access: 'user',
    query: pageQuery.omit({ order: true }),
    response: paged('tokens', tokenRow),
  }),
  'account.endToken': endpoint({
    method: 'DELETE',
    path: '/api/auth/tokens/{id}',
    summary: 'Revoke an API key or a kubeconfig token of the user; what is open by it is closed',
    access: 'user',
    params: z.object({ id: uuid }),
    outdates: ['/api/auth/tokens'],
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'account.endOtherSessions': endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End every session of the user but this one',
    access: 'user',
    outdates: ['/api/auth/sessions'],
    response: z.object({ endedSessions: z.number().int() }),
  }),
} as const
