import { and, asc, eq, isNull } from 'drizzle-orm'

import type { PolicyKind } from '@bey/contract/networks/rules'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { clusters } from '../../tables/clusters.ts'
import { networkPolicies, type PolicyState } from '../../tables/networks.ts'

export type PolicyPlace = { clusterId: number; namespace: string; name: string }
/** A policy in a cluster: of two kinds there may be one each of a name. */
export type PlacedPolicy = PolicyPlace & { kind: PolicyKind }
export type Spec = Record<string, unknown>

export type PolicyRow = Awaited<ReturnType<typeof listPolicies>>[number]

const ofNetwork = (organizationId: number, networkId: string) =>
  and(eq(networkPolicies.organizationId, organizationId), eq(networkPolicies.networkId, networkId))

/** Policies that are kept in clusters for a network, by cluster, namespace and name. */
export function listPolicies(db: Db, organizationId: number, networkId: string) {
  return (
    db
      .select({
        id: networkPolicies.id,
        clusterId: networkPolicies.clusterId,
        clusterTitle: clusters.title,
        kind: networkPolicies.kind,
        namespace: networkPolicies.namespace,
        name: networkPolicies.name,
        written: networkPolicies.written,
        state: networkPolicies.state,
        stateSince: networkPolicies.stateSince,
        found: networkPolicies.found,
        changedBy: networkPolicies.changedBy,
        checkedAt: networkPolicies.checkedAt,
      })
      .from(networkPolicies)
      .innerJoin(clusters, eq(clusters.id, networkPolicies.clusterId))
      // With a cluster that was deleted its policies are gone.
      .where(and(ofNetwork(organizationId, networkId), isNull(clusters.deletedAt)))
      .orderBy(asc(clusters.title), asc(networkPolicies.namespace), asc(networkPolicies.name))
  )
}

/** Notes what was just written to a cluster. */
export async function noteWritten(
  db: Db,
  network: { organizationId: number; networkId: string },
  { clusterId, kind, namespace, name }: PlacedPolicy,
  written: Spec,
  at: Date,
): Promise<void> {
  const state = {
    kind,
    written,
    state: 'in_force',
    stateSince: at,
    found: null,
    changedBy: null,
    checkedAt: at,
  } as const
  await db
    .insert(networkPolicies)
    .values({ id: uuidv7(), ...network, clusterId, namespace, name, ...state })
    .onConflictDoUpdate({
      target: [networkPolicies.clusterId, networkPolicies.namespace, networkPolicies.name],
      set: { ...network, ...state },
      setWhere: eq(networkPolicies.organizationId, network.organizationId),
    })
}

export async function forgetPolicy(
  db: Db,
  { organizationId, networkId }: { organizationId: number; networkId: string },
  { clusterId, kind, namespace, name }: PlacedPolicy,
): Promise<void> {
  await db.delete(networkPolicies).where(
    and(
      ofNetwork(organizationId, networkId),
      eq(networkPolicies.clusterId, clusterId),
      eq(networkPolicies.namespace, namespace),
      eq(networkPolicies.name, name),
      // Another kind may have been written in its place.
      eq(networkPolicies.kind, kind),
    ),
  )
}

/** How a policy was found when its cluster was read. */
export type Finding = { state: PolicyState; found: Spec | null; changedBy: string | null }

/** Notes a finding; `stateSince` moves with the state alone. */
export async function noteFinding(
  db: Db,
  organizationId: number,
  row: Pick<PolicyRow, 'id' | 'state'>,
  finding: Finding,
  at: Date,
): Promise<void> {
  await db
    .update(networkPolicies)
    .set({ ...finding, checkedAt: at, ...(finding.state !== row.state && { stateSince: at }) })
    .where(and(eq(networkPolicies.organizationId, organizationId), eq(networkPolicies.id, row.id)))
}
