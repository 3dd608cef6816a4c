import { z } from 'zod'
import { isMailSender } from '../auth/email-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp } from '../base/schema.ts'
import { oauthProviders } from '../auth/sign-in.ts'

/** Who decided: the environment, which wins, the settings stored here, or nobody. */
const source = z.enum(['environment', 'stored', 'none'])
export type SettingSource = z.infer<typeof source>

const httpUrl = z
  .string()
  .trim()
  .max(500)
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'Enter an address that begins with https://.',
  )

const originUrl = httpUrl
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return (
      url !== undefined && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
    )
  }, 'Enter the address without a path, such as https://bey.example.com.')
  .transform((text) => new URL(text).origin)

const host = z
  .string()
  .trim()
  .min(1, 'Enter the host name of the mail server.')
  .max(253)
  .regex(/^[\w.:-]+$/, 'Enter a host name or address, without a port.')

const smtp = z.object({
  source,
  host: z.string(),
  port: z.number().int(),
  /** `tls`: from the first byte; `starttls`: after a command; `none`: not at all. */
  security: z.enum(['tls', 'starttls', 'none']),
  user: z.string(),
  hasPassword: z.boolean(),
  from: z.string(),
})

const provider = z
  .object({
    id: z.enum(oauthProviders),
    source,
    label: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    /** To register with the provider. */
    redirectUri: z.string(),
  })
  .meta({ id: 'InstanceProvider' })
export type InstanceProvider = z.infer<typeof provider>

const readOnly = z.object({
  isOn: z.boolean(),
  /** For everybody who reads it; empty where none was given, and while it is off. */
  reason: z.string(),
  since: timestamp.nullable(),
})

const instance = z
  .object({
    readOnly,
    publicUrl: z.object({ source, value: z.string() }),
    signup: z.object({ source, value: z.enum(['open', 'invite']) }),
    smtp,
    providers: z.array(provider).max(3),
  })
  .meta({ id: 'Instance' })
export type Instance = z.infer<typeof instance>

const providerParams = z.object({ provider: z.enum(oauthProviders) })
const errors = ['forbidden', 'conflict'] as const

/** Settings of the whole server, for its operator: an owner of the first organization. */
export const instanceEndpoints = {
  'instance.get': endpoint({
    method: 'GET',
    path: '/api/instance',
    summary: 'The settings of this server; secrets are never answered',
    access: 'user',
    response: instance,
    errors: ['forbidden'],
  }),
  'instance.updateGeneral': endpoint({
    method: 'PUT',
    path: '/api/instance/general',
    summary: 'Set the base address and who may sign up',
    access: 'user',
    stepUp: true,
    body: z.strictObject({ publicUrl: originUrl.nullable(), signup: z.enum(['open', 'invite']) }),
    response: instance,
    errors,
  }),
  'instance.setReadOnly': endpoint({
    method: 'PUT',
    path: '/api/instance/read-only',
    summary: 'Make Bey read-only, or end that: changes are refused and no step of a run begins',
    access: 'user',
    stepUp: true,
    body: z.strictObject({
      isOn: z.boolean(),
      reason: z.string().trim().max(200).default(''),
    }),
    response: instance,
    errors: ['forbidden'],
  }),
  'instance.updateSmtp': endpoint({
    method: 'PUT',
    path: '/api/instance/smtp',
    summary: 'Set the mail server; a password that is left out is kept',
    access: 'user',
    stepUp: true,
    body: z.strictObject({
      host,
      port: z.number().int().min(1).max(65_535),
      security: z.enum(['tls', 'starttls', 'none']),
      user: z.string().trim().max(254),
      password: z.string().max(1000).optional(),
      from: z
        .string()
        .trim()
        .max(254)
        .refine(isMailSender, 'Enter an address, or a name with its address: Bey <bey@example.com>.'),
    }),
    response: instance,
    errors,
  }),
  'instance.removeSmtp': endpoint({
    method: 'DELETE',
    path: '/api/instance/smtp',
    summary: 'Forget the mail server',
    access: 'user',
    stepUp: true,
    response: instance,
    errors,
  }),
  'instance.testSmtp': endpoint({
    method: 'POST',
    path: '/api/instance/smtp/test',
    summary: 'Send a test mail to the caller by the present settings',
    access: 'user',
    withoutIdempotencyKey: 'It sends a test mail each time.',
    response: z.object({ isSent: z.boolean(), detail: z.string() }),
    rateLimit: 'mail',
    errors: ['forbidden'],
  }),
  'instance.updateProvider': endpoint({
    method: 'PUT',
    path: '/api/instance/providers/{provider}',
    summary: 'Set up a provider to sign in with; a client secret that is left out is kept',
    access: 'user',
    stepUp: true,
    params: providerParams,
    body: z.strictObject({
      clientId: z.string().trim().min(1, 'Enter the client id.').max(300),
      clientSecret: z.string().trim().min(1).max(1000).optional(),
      /** Of GitHub: its own address, where it is an Enterprise server. Of Google: not taken. */
      issuer: httpUrl.optional(),
      label: z.string().trim().max(40).optional(),
    }),
    response: instance,
    errors,
  }),
  'instance.removeProvider': endpoint({
    method: 'DELETE',
    path: '/api/instance/providers/{provider}',
    summary: 'Forget a provider; accounts that are linked to it stay linked',
    access: 'user',
    stepUp: true,
    params: providerParams,
    response: instance,
    errors,
  }),
} as const
