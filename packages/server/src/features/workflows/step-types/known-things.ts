import { and, eq, inArray, isNull, ne } from 'drizzle-orm'

import type { Database } from '../../../platform/db/database.ts'
import { clusters } from '../../../tables/clusters.ts'
import { secrets } from '../../../tables/secrets.ts'
import { referencesOf } from '../expressions/references.ts'
import type { KnownThings } from './check-step.ts'

/** More names than this are not looked up, and taken to exist. */
const maxNames = 500

/** Which of the secrets and clusters that a definition may name exist in the organization. */
export async function knownThings(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  definition: Readonly<Record<string, unknown>>,
): Promise<KnownThings> {
  const named = [...new Set(referencesOf(definition).secrets.map(({ name }) => name))]
  const names = [...new Set(named.flatMap(ownersOf))]
  return database.readTenant(organizationId, async (db) => {
    const isNamed = and(
      eq(secrets.organizationId, organizationId),
      inArray(secrets.name, names),
      ne(secrets.status, 'deleted'),
    )
    const foundSecrets =
      names.length === 0 || names.length > maxNames
        ? undefined
        : await db.select({ name: secrets.name }).from(secrets).where(isNamed)
    const foundClusters = await db
      .select({ id: clusters.id, title: clusters.title })
      .from(clusters)
      .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
      .limit(maxNames)
    const secretNames = foundSecrets && new Set(foundSecrets.map(({ name }) => name))
    const clusterNames = new Set(foundClusters.flatMap(({ id, title }) => [String(id), title]))
    return {
      ...(secretNames && {
        hasSecret: (name: string) => ownersOf(name).some((owner) => secretNames.has(owner)),
      }),
      ...(foundClusters.length < maxNames && {
        hasCluster: (cluster: number | string) => clusterNames.has(String(cluster)),
      }),
    }
  })
}

/** What a template may mean: a secret of this name, or the field of one whose name stands before a dot. */
function ownersOf(name: string): string[] {
  const parts = name.split('.')
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}
