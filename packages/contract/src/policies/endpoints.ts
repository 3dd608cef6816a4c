import { z } from 'zod'
import { auditBounds } from '../audit/rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { policyBounds as bounds } from './rules.ts'
import { timestamp } from '../base/schema.ts'

/** A domain of e-mail addresses, such as `example.com`. */
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
    'Enter a domain without the @, for example example.com.',
  )

const policies = z
  .strictObject({
    /** Days after which audit entries are removed; null: never. */
    auditRetentionDays: z
      .number()
      .int()
      .min(auditBounds.minRetentionDays)
      .max(auditBounds.maxRetentionDays)
      .nullable(),
    /** Hours after its beginning at which a session ends; null: only by not being used. */
    sessionLifeHours: z
      .number()
      .int()
      .min(bounds.minSessionLifeHours)
      .max(bounds.maxSessionLifeHours)
      .nullable(),
    /**
     * Minutes of no use after which a session ends, or up to a minute later; null: 30 days. What a page of the console
     * asks for while nobody touches it is no use.
     */
    sessionIdleMinutes: z
      .number()
      .int()
      .min(bounds.minSessionIdleMinutes)
      .max(bounds.maxSessionIdleMinutes)
      .nullable(),
    /**
     * From when members need a second factor, an authenticator app or a passkey; null: they need none. Until then, the grace
     * period, the console asks them to set one up.
     */
    twoFactorFrom: timestamp.nullable(),
    /** Whether a session that began with a password may work in the organization. */
    allowsPassword: z.boolean(),
    /** Domains of the addresses that may work in the organization; empty: any. */
    allowedDomains: z.array(domain).max(bounds.maxDomains),
    /** Networks in CIDR notation, or single addresses, from which it is reached; empty: any. */
    allowedNetworks: z.array(z.string().trim().min(1).max(64)).max(bounds.maxNetworks),
  })
  .meta({ id: 'SecurityPolicies' })
export type SecurityPolicies = z.infer<typeof policies>

export const policyEndpoints = {
  'policies.get': endpoint({
    method: 'GET',
    path: '/api/policies',
    summary: 'The security policies of the organization',
    access: 'organization.read',
    response: policies,
  }),
  'policies.update': endpoint({
    method: 'PUT',
    path: '/api/policies',
    summary:
      'Change the security policies; they hold at once, for open connections too. Nobody can lock themselves out',
    access: 'policies.update',
    stepUp: true,
    keys: 'none',
    body: policies,
    replyOf: 'policies.get',
    outdates: ['/api/audit'],
    response: policies,
    errors: ['conflict'],
  }),
} as const
