import { type EndingThing, outlookDays } from '@bey/contract'
import { and, asc, eq, inArray, isNull, lte, or, gt } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { limitNow, mayNow } from '../../../platform/keys/key-rights.ts'
import { apiKeys } from '../../../tables/api-keys.ts'
import { secrets } from '../../../tables/secrets.ts'
import type { IngressHealth } from '../../ingress/health.ts'
import type { SinceReader } from '../since/since.ts'

const dayMs = 86_400_000
/** Rows of one kind that are read. */
const most = 200

/** Secrets and API keys that end within 30 days or have ended, as far as the reader may list them. */
export async function endingRows(db: Db, reader: SinceReader, now: Date): Promise<EndingThing[]> {
  const until = new Date(now.getTime() + outlookDays * dayMs)
  const ended = (at: Date) => at <= now
  const found: EndingThing[] = []
  if (mayNow(reader.role, 'secrets.read')) {
    for (const { id, name, expiresAt } of await endingSecrets(db, reader.organizationId, until)) {
      if (expiresAt === null) continue
      found.push({
        key: `secret/${id}`,
        kind: 'secret',
        name,
        at: expiresAt.toISOString(),
        hasEnded: ended(expiresAt),
        text: ended(expiresAt) ? 'expired' : 'expires',
        href: `/secrets/${id}`,
      })
    }
  }
  for (const { id, name, expiresAt } of await endingKeys(db, reader, until, now)) {
    if (expiresAt === null) continue
    found.push({
      key: `api_key/${id}`,
      kind: 'api_key',
      name,
      at: expiresAt.toISOString(),
      hasEnded: false,
      text: 'stops working',
      href: '/workspaces/settings/api-keys',
    })
  }
  return found
}

function endingSecrets(db: Db, organizationId: number, until: Date) {
  const limit = limitNow('secret')
  return db
    .select({ id: secrets.id, name: secrets.name, expiresAt: secrets.expiresAt })
    .from(secrets)
    .where(
      and(
        eq(secrets.organizationId, organizationId),
        eq(secrets.status, 'active'),
        lte(secrets.expiresAt, until),
        limit === undefined ? undefined : inArray(secrets.id, limit),
      ),
    )
    .orderBy(asc(secrets.expiresAt))
    .limit(most)
}

/** Their own for everybody who does not manage the keys of others. A key that has ended does no harm any more. */
function endingKeys(db: Db, { organizationId, role, userId }: SinceReader, until: Date, now: Date) {
  return db
    .select({ id: apiKeys.id, name: apiKeys.name, expiresAt: apiKeys.expiresAt })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        isNull(apiKeys.revokedAt),
        gt(apiKeys.expiresAt, now),
        lte(apiKeys.expiresAt, until),
        mayNow(role, 'apiKeys.manage') ? undefined : or(eq(apiKeys.ownerId, userId)),
      ),
    )
    .orderBy(asc(apiKeys.expiresAt))
    .limit(most)
}

/** Certificates that end soon or have ended, as the watch of ingress found them. */
export function endingCertificates(problems: readonly IngressHealth[]): EndingThing[] {
  return problems
    .filter(({ kind }) => kind === 'Certificate')
    .map(({ key, name, cluster, health, href }) => ({
      key,
      kind: 'certificate',
      name,
      at: null,
      hasEnded: health.state === 'failing',
      text: `${health.detail ?? health.reason ?? ''} ${cluster.title}`.trim(),
      href,
    }))
}
