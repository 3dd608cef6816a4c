import {
  entityResourceId,
  objectResourceId,
  partResourceId,
  partResourceKinds,
  type Relation,
} from '@bey/contract'
import { and, eq, isNull } from 'drizzle-orm'

import type { Database, Db } from '../../../platform/db/database.ts'
import {
  type InventorySource,
  type LabelledRelation,
  type RelationSource,
  rowSource,
} from '../../../platform/inventory.ts'
import { networks, securityGroups } from '../../../tables/networks.ts'
import { users } from '../../../tables/users.ts'

const maxRows = 20_000

/** Security groups for the inventory, without those of networks that are deleted. */
export function groupResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return rowSource(database, partResourceKinds.securityGroup, async (db, { organizationId }) => {
    const rows = await db
      .select({
        id: securityGroups.id,
        networkId: securityGroups.networkId,
        name: securityGroups.name,
        createdBy: securityGroups.createdBy,
        createdByName: users.name,
        createdAt: securityGroups.createdAt,
      })
      .from(securityGroups)
      .innerJoin(networks, eq(networks.id, securityGroups.networkId))
      .leftJoin(users, eq(users.id, securityGroups.createdBy))
      .where(and(eq(securityGroups.organizationId, organizationId), isNull(networks.deletedAt)))
    return rows.map((row) => ({ ...row, href: `/networking/${row.networkId}/groups/${row.id}` }))
  })
}

/** The networks of security groups, what they are put on, and what their rules allow. Ranges are no resources. */
export function groupRelations({ database }: { database: Database }): RelationSource {
  return {
    list: async ({ organizationId }) => {
      const groups = await database.readTenant(organizationId, (db) => readGroups(db, organizationId))
      return {
        relations: groups.flatMap(relationsOf),
        labelled: groups.flatMap(labelledOf),
        gaps: [],
      }
    },
  }
}

type Group = Awaited<ReturnType<typeof readGroups>>[number]

function readGroups(db: Db, organizationId: number) {
  return db
    .select({
      id: securityGroups.id,
      networkId: securityGroups.networkId,
      rules: securityGroups.rules,
      targets: securityGroups.targets,
    })
    .from(securityGroups)
    .innerJoin(networks, eq(networks.id, securityGroups.networkId))
    .where(and(eq(securityGroups.organizationId, organizationId), isNull(networks.deletedAt)))
    .limit(maxRows)
}

function relationsOf(group: Group): Relation[] {
  const own = partResourceId('securityGroup', group.id)
  const network = entityResourceId('network', group.networkId)
  const clusterIds = clustersOf(group)
  const relations: Relation[] = [{ from: own, to: network, verb: 'belongs_to' }]
  for (const { clusterId, namespace, labels } of group.targets) {
    if (Object.keys(labels).length > 0) continue
    relations.push({ from: namespaceId(clusterId, namespace), to: own, verb: 'allowed_by' })
  }
  const allow = (to: string) => relations.push({ from: own, to, verb: 'allows' })
  for (const { peer } of allowing(group)) {
    switch (peer.kind) {
      case 'group':
        allow(partResourceId('securityGroup', peer.groupId))
        break
      case 'database':
        allow(entityResourceId('database', peer.databaseId))
        break
      case 'namespace':
        for (const clusterId of clusterIds) allow(namespaceId(clusterId, peer.namespace))
        break
      case 'service':
        for (const clusterId of clusterIds) allow(objectResourceId({ ...peer, clusterId }))
        break
      case 'workload':
      case 'anywhere':
      case 'range':
      case 'subnet':
      case 'set':
        break
    }
  }
  return relations
}

/** Pods that a group is put on, or that its rules name, by their labels. */
function labelledOf(group: Group): LabelledRelation[] {
  const own = partResourceId('securityGroup', group.id)
  const targets = group.targets
    .filter(({ labels }) => Object.keys(labels).length > 0)
    .map((target): LabelledRelation => ({ ...target, kind: 'pod', to: own, verb: 'allowed_by' }))
  const allowed = allowing(group).flatMap(({ peer }) => {
    if (peer.kind !== 'workload') return []
    const { namespace, labels } = peer
    return clustersOf(group).map((clusterId): LabelledRelation => ({
      kind: 'pod',
      clusterId,
      namespace,
      labels,
      from: own,
      verb: 'allows',
    }))
  })
  return [...targets, ...allowed]
}

const allowing = ({ rules }: Group) => rules.filter(({ action }) => action === 'allow')

/** Peers are those of the clusters that the group is put into. */
const clustersOf = ({ targets }: Group) => [...new Set(targets.map(({ clusterId }) => clusterId))]

const namespaceId = (clusterId: number, name: string) =>
  objectResourceId({ kind: 'namespace', clusterId, namespace: '', name })
