import { policyBounds } from '@bey/contract'
import type { SecurityPolicies } from '@bey/contract'
import { act } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { isWithin, parseNetwork } from '../../platform/outbound/networks.ts'
import { domainOf } from '../../platform/policies/refusal.ts'
import { sql } from 'drizzle-orm'
import { readPolicies, writePolicies } from './store.ts'

export function policyRoutes(database: Database, clock: Clock): Handlers<'policies.get' | 'policies.update'> {
  return {
    'policies.get': ({ caller: { organizationId } }) =>
      database.readTenant(organizationId, (db) => readPolicies(db, organizationId)),

    'policies.update': async ({ caller, body }) => {
      const { organizationId } = caller
      const policies = withoutRepeats(body)
      refuseUnreadable(policies)
      refuseLockOut(policies, caller)
      return database.withTenant(organizationId, async (db) => {
        const before = await readPolicies(db, organizationId)
        refuseLateFactor(before, policies, clock.now())
        await refuseLackOfFactor(db, policies, caller)
        const diff = changesOf(before, policies)
        if (Object.keys(diff).length === 0) return before
        await writePolicies(db, organizationId, policies)
        await act(db, caller, {
          action: 'policies.update',
          class: 'update',
          target: { type: 'policies', name: 'Security policies' },
          diff,
        })
        // Every connection that is open is looked at again.
        await endAccess(db, { kind: 'organization', organizationId })
        return policies
      })
    },
  }
}

function withoutRepeats(policies: SecurityPolicies): SecurityPolicies {
  const { allowedDomains, allowedNetworks } = policies
  return {
    ...policies,
    allowedDomains: [...new Set(allowedDomains)],
    allowedNetworks: [...new Set(allowedNetworks)],
  }
}

function refuseUnreadable({ allowedNetworks }: SecurityPolicies): void {
  const errors = allowedNetworks.flatMap((network, index) =>
    parseNetwork(network) === undefined
      ? [
          {
            path: `allowedNetworks.${index}`,
            message: `"${network}" is no network. Enter one such as 10.0.0.0/8, or an address.`,
          },
        ]
      : [],
  )
  const [first] = errors
  if (first) throw new AppError('invalid_request', first.message, { errors })
}

/** A grace period has an end, and one that was set before is kept as it is. */
function refuseLateFactor(before: SecurityPolicies, { twoFactorFrom }: SecurityPolicies, now: Date): void {
  if (twoFactorFrom === null || twoFactorFrom === before.twoFactorFrom) return
  if (Date.parse(twoFactorFrom) <= now.getTime() + policyBounds.maxGraceDays * 86_400_000) return
  const message = `Choose a time within the next ${policyBounds.maxGraceDays} days.`
  throw new AppError('invalid_request', message, { errors: [{ path: 'twoFactorFrom', message }] })
}

/** The same for a second factor, also before the grace period ends: it must not end with nobody left inside. */
async function refuseLackOfFactor(
  db: Db,
  { twoFactorFrom }: SecurityPolicies,
  { user }: TenantCaller,
): Promise<void> {
  if (twoFactorFrom === null) return
  const { rows } = await db.execute<{ has: boolean }>(
    sql`select exists (select from second_factors_of_members(array[${user.id}::int])) as has`,
  )
  if (rows[0]?.has) return
  throw new AppError(
    'conflict',
    'Your own account has no second factor: you would lock yourself out. Set up an authenticator app or a passkey in your profile first.',
  )
}

/** Whoever changes the policies must still be let in by them: nobody else could take the change back. */
function refuseLockOut(
  { allowedDomains, allowedNetworks, allowsPassword }: SecurityPolicies,
  caller: TenantCaller,
): void {
  if (!allowsPassword && caller.method === 'password') {
    throw new AppError(
      'conflict',
      'You logged in with a password yourself: you would lock yourself out. Log in with a passkey or a linked account, then turn passwords off.',
    )
  }
  const domain = domainOf(caller.user.email)
  if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) {
    throw new AppError(
      'conflict',
      `Your own address is of ${domain}, which is not among the domains: you would lock yourself out. Add ${domain}, or let an owner of another domain make the change.`,
    )
  }
  if (allowedNetworks.length > 0 && !isWithin(allowedNetworks, caller.ip)) {
    throw new AppError(
      'conflict',
      `You come from ${caller.ip}, which is in none of the networks: you would lock yourself out. Add a network with it.`,
    )
  }
}

function changesOf(before: SecurityPolicies, after: SecurityPolicies): Record<string, unknown> {
  const keys = Object.keys(after) as (keyof SecurityPolicies)[]
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, { from: before[key], to: after[key] }]),
  )
}
