import type { KeyResource, Permission, Role } from '@bey/contract'
import type { Clock } from '../clock.ts'
import { viaNow } from '../audit/assistant.ts'
import { createRefusals, serverTrail } from '../audit/refusals.ts'
import { hashToken } from '../crypto/token.ts'
import type { Database } from '../db/database.ts'
import { authenticateApiKey, type ApiKeyIdentity } from '../db/gateway.ts'
import { AppError } from '../errors.ts'
import { policyRefusal } from '../policies/refusal.ts'
import type { Log } from '../log.ts'
import { type RateBuckets, rateBuckets } from '../rate-buckets.ts'
import { isAllowedFrom } from './allowed-addresses.ts'
import type { KeyRights } from './key-rights.ts'
import { isWellFormedKey } from './key-token.ts'
import { createKeyUses } from './key-uses.ts'

/** Who an API key acts for. */
export type KeyCaller = {
  user: { id: number; email: string; name: string }
  organizationId: number
  organizationName: string
  /** While the organization waits to be deleted: when that happens. */
  organizationDeletesAt: Date | null
  role: Role
  key: KeyRights
  tokenHash: Buffer
}

type Origin = { ip: string; userAgent: string; requestId: string }

export type KeyAccess = {
  /**
   * Who holds an API key, in one query; none for a key that is misspelt. Undefined: unknown, expired, revoked, or its
   * owner no longer a member. Throws `forbidden` from an address that the key does not allow, and where the policies of the
   * organization keep its owner out. Counts as a use.
   */
  authenticate(token: string, origin: Origin): Promise<KeyCaller | undefined>
  /** The same for a connection that stays open, by the hash that it kept. `ip` is undefined where it was checked before. */
  recheck(tokenHash: Buffer, ip?: string): Promise<KeyCaller | undefined>
  /** Takes one request from the key's own limit, or from that of people. */
  take(
    key: Pick<KeyRights, 'id' | 'requestsPerMinute'>,
  ): ReturnType<RateBuckets['take']> & { perMinute: number }
  /** Records that a key was refused something. */
  refused(caller: Pick<KeyCaller, 'organizationId' | 'key'>, reason: string, origin: Origin): void
  /** Writes what is only in memory: last uses, and refusals. */
  flush(): Promise<void>
  close(): Promise<void>
}

export type KeyAccessOptions = {
  database: Pick<Database, 'pool' | 'withTenant' | 'asSystem' | 'isUp'>
  clock: Clock
  log: Log
  /** Of keys that have no limit of their own. */
  requestsPerMinute: number
}

export function createKeyAccess({ database, clock, log, requestsPerMinute }: KeyAccessOptions): KeyAccess {
  const uses = createKeyUses(database.pool, clock, log)
  const refusals = createRefusals({ database, clock, log })
  const bucketsByRate = new Map<number, RateBuckets>()

  async function find(tokenHash: Buffer): Promise<{ found: ApiKeyIdentity; caller: KeyCaller } | undefined> {
    const found = await authenticateApiKey(database.pool, tokenHash)
    return found && { found, caller: callerOf(found, tokenHash) }
  }

  function refused(
    { organizationId, key }: Pick<KeyCaller, 'organizationId' | 'key'>,
    reason: string,
    origin: Origin,
  ) {
    const { ip, userAgent, requestId } = origin
    refusals.count({
      organizationId,
      actor: { type: 'api_key', id: key.id, name: key.name, email: null },
      via: viaNow('api'),
      action: 'api_key.refused',
      target: { type: 'apiKey', id: key.id, name: key.name },
      reason,
      origin: { ip, userAgent, requestId },
    })
  }

  /** Whose it was meant to be nobody knows, so the server's own trail has it. */
  function unknown(reason: 'checksum' | 'unknown', { ip, userAgent, requestId }: Origin): undefined {
    refusals.count({
      organizationId: serverTrail,
      actor: { type: 'token', name: 'an unknown API key', email: null },
      via: 'api',
      action: 'api_key.refused',
      reason,
      origin: { ip, userAgent, requestId },
    })
  }

  return {
    async authenticate(token, origin) {
      if (!isWellFormedKey(token)) return unknown('checksum', origin)
      const known = await find(hashToken(token))
      if (known === undefined) return unknown('unknown', origin)
      const { found, caller } = known
      const refusal = refusalOf(found, origin.ip)
      if (refusal !== undefined) {
        refused(caller, refusal.code === 'forbidden' ? 'address' : refusal.code, origin)
        throw refusal
      }
      uses.record(caller.key.id, origin.ip)
      return caller
    },
    async recheck(tokenHash, ip) {
      const known = await find(tokenHash)
      if (known === undefined) return undefined
      if (refusalOf(known.found, ip) !== undefined) return undefined
      return known.caller
    },
    take({ id, requestsPerMinute: own }) {
      const perMinute = own ?? requestsPerMinute
      const buckets =
        bucketsByRate.get(perMinute) ?? rateBuckets(clock, { burst: perMinute, perSecond: perMinute / 60 })
      bucketsByRate.set(perMinute, buckets)
      return { ...buckets.take(id), perMinute }
    },
    refused,
    async flush() {
      await Promise.all([uses.flush(), refusals.flush()])
    },
    async close() {
      await Promise.all([uses.stop(), refusals.stop()])
    },
  }
}

const maxKnownSets = 1_000
/** The same words are the same set: keys are many, combinations of permissions few. */
const knownSets = new Map<string, ReadonlySet<Permission>>()

function permissionsOf(words: string): ReadonlySet<Permission> {
  const known = knownSets.get(words)
  if (known) return known
  // Written by this server, from the table of permissions; one that is gone from it opens nothing.
  const permissions = new Set(words.split(' ') as Permission[])
  if (knownSets.size >= maxKnownSets) knownSets.clear()
  knownSets.set(words, permissions)
  return permissions
}

function callerOf(found: ApiKeyIdentity, tokenHash: Buffer): KeyCaller {
  return {
    user: { id: found.userId, email: found.email, name: found.userName },
    organizationId: found.organizationId,
    organizationName: found.organizationName,
    organizationDeletesAt: found.organizationDeletesAt,
    role: found.role,
    tokenHash,
    key: {
      id: found.keyId,
      name: found.name,
      secretId: found.secretId,
      isPersonal: found.isPersonal,
      permissions: permissionsOf(found.permissions),
      resources: found.resources as KeyResource[],
      requestsPerMinute: found.requestsPerMinute,
      expiresAt: found.expiresAt,
    },
  }
}

/**
 * Why the key's own addresses or the organization's policies keep it out. A key of the organization is nobody's, so that
 * the policies ask only from where it comes; a personal one is admitted where its owner is.
 */
function refusalOf(found: ApiKeyIdentity, ip: string | undefined): AppError | undefined {
  const { allowedAddresses, policies, isPersonal, email, name } = found
  const isAllowed =
    ip === undefined || (isAllowedFrom(allowedAddresses, ip) && isAllowedFrom(policies?.networks ?? [], ip))
  if (!isAllowed) {
    return new AppError(
      'forbidden',
      `The API key "${name}" may not be used from ${ip}. Use it from one of its allowed networks and of those of the organization, or add this address to them.`,
    )
  }
  const refusal = isPersonal ? policyRefusal(policies, { email, ip: undefined }) : undefined
  return refusal && new AppError(refusal.code, refusal.message)
}
