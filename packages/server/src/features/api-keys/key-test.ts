import type { ApiKey, CallOutput } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import type { Database } from '../../platform/db/database.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { isAllowedFrom } from '../../platform/keys/allowed-addresses.ts'
import { isKeyToken, isWellFormedKey } from '../../platform/keys/key-token.ts'
import { presentKey } from './present.ts'
import { viewerOf } from './service.ts'
import { findKey, findSecret, namesOf } from './store.ts'

type Tested = CallOutput<'apiKeys.test'>
type Verdict = Tested['verdict']

/** Says whether a secret works from where it is asked, and if not, why. It is neither used nor recorded by this. */
export function createKeyTest({ database, clock }: { database: Pick<Database, 'readTenant'>; clock: Clock }) {
  return async (caller: TenantCaller, token: string): Promise<Tested> => {
    const address = caller.ip
    const answer = (verdict: Verdict, key: ApiKey | null = null): Tested => ({
      verdict,
      sentence: sentenceOf(verdict, key, address),
      address,
      key,
    })
    if (!isKeyToken(token) || !isWellFormedKey(token)) return answer('misspelt')
    const { organizationId } = caller
    return database.readTenant(organizationId, async (db) => {
      const secret = await findSecret(db, organizationId, hashToken(token))
      if (secret === undefined) return answer('unknown')
      // Whoever holds the secret may know what it is.
      const row = await findKey(db, { ...viewerOf(caller), isManager: true }, secret.keyId)
      if (row === undefined) return answer('unknown')
      const now = clock.now()
      const key = presentKey(row, await namesOf(db, organizationId, row.resources), now)
      if (key.status === 'revoked' || key.status === 'expired') return answer(key.status, key)
      if (secret.validUntil && secret.validUntil <= now) return answer('replaced', key)
      return answer(isAllowedFrom(row.allowedAddresses, address) ? 'works' : 'address', key)
    })
  }
}

function sentenceOf(verdict: Verdict, key: ApiKey | null, address: string): string {
  const name = `The key "${key?.name ?? ''}"`
  switch (verdict) {
    case 'works':
      return `${name} works from ${address}.`
    case 'misspelt':
      return 'This is no API key: a character is wrong or missing. Copy it again as a whole.'
    case 'unknown':
      return 'This organization has no such key. It belongs to another one, or ended more than 30 days ago.'
    case 'expired':
      return `${name} has expired. Make a new one.`
    case 'revoked':
      return `${name} was revoked. Make a new one.`
    case 'replaced':
      return `${name} was rotated, and this is its old secret, whose time is over. Use the new one.`
    case 'address':
      return `${name} works, but not from ${address}, which is not among its allowed networks.`
  }
}
