import type { NetworkMembership, ParsedInput } from '@bey/contract'
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { networkAttachments, networks, securityGroups } from '../../tables/networks.ts'
import type { NetworkParts } from './parts.ts'

type Subject = ParsedInput<'networks.memberships'>['query']

/** What a cluster, a namespace or a database takes part in. */
export function membershipHandlers({
  database,
}: Pick<NetworkParts, 'database'>): Handlers<'networks.memberships'> {
  return {
    'networks.memberships': ({ caller: { organizationId }, query }) =>
      database.readTenant(organizationId, async (db) => {
        const memberships = await listMemberships(db, organizationId, query)
        return { memberships }
      }),
  }
}

async function listMemberships(
  db: Db,
  organizationId: number,
  subject: Subject,
): Promise<NetworkMembership[]> {
  const rows = await db
    .select({
      networkId: networks.id,
      name: networks.name,
      cidr: networks.cidr,
      namespace: networkAttachments.namespace,
    })
    .from(networkAttachments)
    .innerJoin(networks, eq(networks.id, networkAttachments.networkId))
    .where(
      and(
        eq(networkAttachments.organizationId, organizationId),
        isNull(networks.deletedAt),
        subject.databaseId === undefined
          ? and(
              eq(networkAttachments.clusterId, Number(subject.clusterId)),
              subject.namespace === undefined
                ? undefined
                : or(
                    eq(networkAttachments.namespace, ''),
                    eq(networkAttachments.namespace, subject.namespace),
                  ),
            )
          : eq(networkAttachments.databaseId, subject.databaseId),
      ),
    )
    .orderBy(asc(sql`lower(${networks.name})`), asc(networkAttachments.namespace))
  const groups = subject.clusterId === undefined ? [] : await groupsOn(db, organizationId, subject)
  const ids = [...new Set(rows.map(({ networkId }) => networkId))]
  return ids.flatMap((networkId): NetworkMembership[] => {
    const own = rows.filter((row) => row.networkId === networkId)
    const [first] = own
    if (first === undefined) return []
    const isWhole = subject.databaseId !== undefined || own.some(({ namespace }) => namespace === '')
    return [
      {
        networkId,
        name: first.name,
        cidr: first.cidr,
        namespaces: isWhole ? null : own.map(({ namespace }) => namespace),
        groups: groups
          .filter((group) => group.networkId === networkId)
          .map(({ id, name, targets }) => ({ id, name, targets })),
      },
    ]
  })
}

/** Security groups that are put on pods of a cluster, or of one of its namespaces, with how many targets each has there. */
async function groupsOn(db: Db, organizationId: number, { clusterId, namespace }: Subject) {
  const rows = await db
    .select({
      id: securityGroups.id,
      networkId: securityGroups.networkId,
      name: securityGroups.name,
      targets: securityGroups.targets,
    })
    .from(securityGroups)
    .where(
      and(
        eq(securityGroups.organizationId, organizationId),
        sql`${securityGroups.targets} @> ${JSON.stringify([
          { clusterId, ...(namespace !== undefined && { namespace }) },
        ])}::jsonb`,
      ),
    )
    .orderBy(asc(sql`lower(${securityGroups.name})`))
  return rows.map(({ targets, ...row }) => ({
    ...row,
    targets: targets.filter(
      (target) =>
        target.clusterId === clusterId && (namespace === undefined || target.namespace === namespace),
    ).length,
  }))
}
