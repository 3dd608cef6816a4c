import type { Endpoint } from '@bey/contract'
import { viaNow } from '../audit/assistant.ts'
import { isRefusalRecorded } from '../audit/grounds.ts'
import type { Refusals } from '../audit/refusals.ts'
import { personActor } from '../act.ts'
import type { SessionIdentity } from '../db/gateway.ts'
import { AppError } from '../errors.ts'
import { isPolicyRefusal } from '../policies/refusal.ts'
import type { PublicCaller, TenantCaller } from './handlers.ts'

type Refused = PublicCaller & Pick<TenantCaller, 'user' | 'organizationId' | 'role'>

/**
 * Counts that somebody with a session was refused an endpoint of their organization: by their role, its policies, or its
 * own rules. What wrote an entry of its own about it is not counted again.
 */
export function countRefusal(
  refusals: Refusals,
  { method, path, access }: Endpoint,
  { user, organizationId, role, ip, userAgent, requestId }: Refused,
  error: unknown,
): void {
  if (!(error instanceof AppError) || !isPolicyRefusal(error) || isRefusalRecorded()) return
  refusals.count({
    organizationId,
    actor: personActor(user),
    via: viaNow('console'),
    action: 'access.refuse',
    target: { type: 'endpoint', name: `${method} ${path}` },
    reason: error.message,
    diff: { role, ...(access !== 'user' && access !== 'public' && { permission: access }) },
    origin: { ip, userAgent, requestId },
  })
}

/** Counts that somebody named an address to which this server does not connect. */
export function countRefusedAddress(
  refusals: Refusals,
  { user, organizationId, ip, userAgent, requestId }: Omit<Refused, 'role'>,
  target: { type: string; name: string },
  reason: string,
): void {
  refusals.count({
    organizationId,
    actor: personActor(user),
    via: 'console',
    action: 'address.refuse',
    target,
    reason,
    origin: { ip, userAgent, requestId },
  })
}

/** Counts that somebody asked in the name of an organization to which they do not belong; it reads of that itself. */
export function countForeign(
  refusals: Refusals,
  { method, path }: Endpoint,
  { userId, email, name }: SessionIdentity,
  { ip, userAgent, requestId }: PublicCaller,
  organizationId: number,
): void {
  refusals.count({
    organizationId,
    isForeign: true,
    actor: personActor({ id: userId, name, email }),
    via: 'console',
    action: 'access.refuse',
    target: { type: 'endpoint', name: `${method} ${path}` },
    reason: 'They do not belong to this organization.',
    origin: { ip, userAgent, requestId },
  })
}

/** Counts a refusal of a session that was refused before its request had a caller. */
export function countRefusedSession(
  refusals: Refusals,
  endpoint: Endpoint,
  { userId, email, name, organizationId, role }: SessionIdentity,
  origin: PublicCaller,
  error: unknown,
): void {
  if (organizationId === null || role === null) return
  const user = { id: userId, email, name }
  countRefusal(refusals, endpoint, { ...origin, user, organizationId, role }, error)
}
