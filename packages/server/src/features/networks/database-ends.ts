import type { DatabaseFacts } from '@bey/contract/reachability/snapshot'
import { effectiveAllowList } from '@bey/contract/databases/allow-list'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { databases } from '../../tables/databases.ts'
import type { NetworkParts } from './parts.ts'

/** A database as it is reached from a cluster. `cnpgCluster`: its Cluster of CloudNativePG, where that runs in the same cluster. */
export type DatabaseEnd = DatabaseFacts & { cnpgCluster?: { namespace: string; name: string } }

/** Databases of the organization among these that are not deleted, as they are reached from a cluster. */
export async function readDatabaseEnds(
  { database }: Pick<NetworkParts, 'database'>,
  organizationId: number,
  clusterId: number,
  ids: readonly string[],
): Promise<DatabaseEnd[]> {
  if (ids.length === 0) return []
  const rows = await database.readTenant(organizationId, (db) =>
    db
      .select({
        id: databases.id,
        name: databases.name,
        provider: databases.provider,
        host: databases.host,
        port: databases.port,
        allowList: databases.allowList,
        networkAccess: databases.networkAccess,
        clusterId: databases.clusterId,
        cnpg: databases.cnpg,
      })
      .from(databases)
      .where(
        and(
          eq(databases.organizationId, organizationId),
          isNull(databases.deletedAt),
          inArray(sql`${databases.id}::text`, [...ids]),
        ),
      ),
  )
  return Promise.all(
    rows.map(async ({ id, name, provider, host, port, cnpg, ...row }): Promise<DatabaseEnd> => {
      const facts = { id, name, port: port ?? 5432 }
      if (cnpg !== null && row.clusterId === clusterId)
        return {
          ...facts,
          addresses: [],
          // The service that CloudNativePG keeps for the primary.
          service: { namespace: cnpg.namespace, name: `${cnpg.name}-rw` },
          cnpgCluster: { namespace: cnpg.namespace, name: cnpg.name },
        }
      if (provider === 'cnpg') return { ...facts, addresses: [] }
      return {
        ...facts,
        addresses: await addressesOf(host),
        ...(provider === 'embedded' && { allowList: effectiveAllowList(row).map(({ cidr }) => cidr) }),
      }
    }),
  )
}

/** As this server resolves a host. An address of this machine alone is none for a cluster. */
async function addressesOf(host: string | null): Promise<string[]> {
  if (host === null || host === 'localhost') return []
  const found = isIP(host) ? [host] : await resolved(host)
  return found.filter((address) => !address.startsWith('127.') && address !== '::1')
}

async function resolved(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    // The answer then says that no address of the database is known.
    return []
  }
}
