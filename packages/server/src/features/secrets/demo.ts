import { randomBytes } from 'node:crypto'
import type { SecretType } from '@bey/contract'
import { eq } from 'drizzle-orm'
import type { DemoPart, DemoPersonKey } from '../../platform/demo.ts'
import { secretUses } from '../../tables/secret-uses.ts'
import { secrets } from '../../tables/secrets.ts'
import { insertPrepared, prepareSecret } from './new-secret.ts'
import type { SecretParts } from './parts.ts'

const dayMs = 86_400_000

const teams: Readonly<Record<string, { by: DemoPersonKey; names: readonly string[] }>> = {
  shop: {
    by: 'noor',
    names: [
      'orders-db',
      'session-cache',
      'mail-relay',
      'image-proxy-signing',
      'voucher-salt',
      'maps-api',
      'push-service',
      'captcha',
    ],
  },
  catalog: {
    by: 'teo',
    names: [
      'catalog-db',
      'search-signing',
      'media-bucket',
      'translation-api',
      'price-feed',
      'supplier-sftp',
      'indexer-queue',
    ],
  },
  payments: {
    by: 'mara',
    names: [
      'card-provider',
      'ledger-db',
      'fraud-model',
      'bank-sftp',
      'payout-signing',
      'tax-service',
      'rates-api',
    ],
  },
  platform: {
    by: 'kaya',
    names: [
      'registry-pull',
      'ci-deploy',
      'backup-bucket',
      'dns-provider',
      'chat-webhook',
      'tls-edge',
      'status-page',
      'audit-export',
    ],
  },
}

/** Thirty secrets of four teams with random values, what uses them, and one that ends in three days. */
export function secretsDemo(parts: SecretParts): DemoPart {
  return async (db, { organizationId, people, clusters, now, random }) => {
    const production = clusters.filter(({ mood }) => mood !== 'rollout')
    for (const [team, { by, names }] of Object.entries(teams)) {
      for (const name of names) {
        const isEnding = name === 'tls-edge'
        const type: SecretType = /-(db|cache)$/.test(name)
          ? 'password'
          : /-(api|service)$/.test(name)
            ? 'api_key'
            : 'opaque'
        const prepared = await prepareSecret({
          name: `${team}/${name}`,
          description: 'Seeded with the demo; its value is random',
          type,
          value: randomBytes(24).toString('base64url'),
          encoding: 'utf8',
          labels: { team, environment: 'production' },
          expiresAt: isEnding ? new Date(now.getTime() + 3 * dayMs).toISOString() : null,
          maxVersions: 10,
          requireCas: false,
        })
        const id = await insertPrepared(parts, db, prepared, {
          organizationId,
          user: people[by],
          via: 'session',
          role: 'MEMBER',
        })
        const createdAt = new Date(now.getTime() - (2 + random() * 12) * dayMs)
        const usedAt = new Date(now.getTime() - random() * dayMs)
        await db
          .update(secrets)
          .set({ createdAt, valueChangedAt: createdAt, lastUsedAt: usedAt })
          .where(eq(secrets.id, id))
        await db.insert(secretUses).values(
          production.map((cluster) => ({
            organizationId,
            secretId: id,
            subjectType: 'cluster',
            subjectId: String(cluster.id),
            subjectName: cluster.title,
            useCount: 1 + Math.floor(random() * 40),
            lastVersion: 1,
            firstUsedAt: createdAt,
            lastUsedAt: usedAt,
          })),
        )
      }
    }
  }
}
