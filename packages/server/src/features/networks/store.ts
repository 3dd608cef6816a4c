import { networkMoves, type NetworkStatus } from '@bey/contract'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { walkMoves } from '../../platform/moves.ts'
import { clusters } from '../../tables/clusters.ts'
import { networkPolicies, networks } from '../../tables/networks.ts'
import { users } from '../../tables/users.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'

const ofNetwork = sql`from ${networkPolicies} p join ${clusters} c on c.id = p.cluster_id and c.deleted_at is null
  where p.organization_id = ${networks.organizationId} and p.network_id = ${networks.id}`

const columns = {
  id: networks.id,
  organizationId: networks.organizationId,
  name: networks.name,
  description: networks.description,
  region: networks.region,
  cidr: networks.cidr,
  cidr6: networks.cidr6,
  isIsolated: networks.isIsolated,
  policyKind: networks.policyKind,
  subnets: networks.subnets,
  sets: networks.sets,
  status: networks.status,
  statusSince: networks.statusSince,
  reason: networks.reason,
  figures: networks.figures,
  lastRunId: networks.lastRunId,
  lastWorkflowId: workflowRuns.workflowId,
  policyCount: sql<number>`(select count(*)::int ${ofNetwork})`,
  driftCount: sql<number>`(select count(*)::int ${ofNetwork} and p.state in ('changed', 'missing'))`,
  createdBy: networks.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: networks.createdAt,
  updatedAt: networks.updatedAt,
  deletedAt: networks.deletedAt,
  rowVersion: networks.rowVersion,
}

export type NetworkRow = Awaited<ReturnType<typeof selectNetworks>>[number]

export function selectNetworks(db: Db, organizationId: number, where: SQL | undefined) {
  return db
    .select(columns)
    .from(networks)
    .leftJoin(users, eq(users.id, networks.createdBy))
    .leftJoin(
      workflowRuns,
      and(eq(workflowRuns.id, networks.lastRunId), eq(workflowRuns.organizationId, networks.organizationId)),
    )
    .where(and(eq(networks.organizationId, organizationId), where))
    .$dynamic()
}

/** All networks that are not deleted, by name. */
export function allNetworks(db: Db, organizationId: number) {
  return selectNetworks(db, organizationId, isNull(networks.deletedAt)).orderBy(
    asc(sql`lower(${networks.name})`),
  )
}

export async function findNetwork(
  db: Db,
  organizationId: number,
  id: string,
): Promise<NetworkRow | undefined> {
  const [row] = await selectNetworks(db, organizationId, eq(networks.id, id))
  return row
}

/** Keeps the row from being changed by others until the transaction ends. */
export async function lockNetwork(
  db: Db,
  organizationId: number,
  id: string,
): Promise<NetworkRow | undefined> {
  const [row] = await selectNetworks(db, organizationId, eq(networks.id, id)).for('update', { of: networks })
  return row
}

type Values = typeof networks.$inferInsert
type Change = Omit<Partial<Values>, 'status' | 'statusSince'>

const byId = (organizationId: number, id: string) =>
  and(eq(networks.organizationId, organizationId), eq(networks.id, id))

export async function insertNetwork(db: Db, values: Values): Promise<void> {
  await db.insert(networks).values(values)
}

export function countNetworks(db: Db, organizationId: number): Promise<number> {
  return db.$count(networks, and(eq(networks.organizationId, organizationId), isNull(networks.deletedAt)))
}

/** Changes whatever does not belong to its status. */
export async function updateNetwork(
  db: Db,
  organizationId: number,
  id: string,
  values: Change,
): Promise<void> {
  await db.update(networks).set(values).where(byId(organizationId, id))
}

/** Counts a change of what is defined here, which `version` on the wire says. */
export async function nextVersion(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .update(networks)
    .set({ rowVersion: sql`${networks.rowVersion} + 1` })
    .where(byId(organizationId, id))
}

/**
 * Moves a network whose status is one of these, and where `runId` is given as long as that run is its newest; true if
 * it did. Throws IllegalMove when the table of legal moves does not lead from each of them to the new status.
 */
export async function moveNetwork(
  db: Db,
  network: { organizationId: number; id: string; runId?: string },
  from: readonly NetworkStatus[],
  to: NetworkStatus,
  values: Change,
  at: Date,
): Promise<boolean> {
  for (const each of from) if (each !== to) walkMoves('network', networkMoves, each, [to])
  const { organizationId, id, runId } = network
  const rows = await db
    .update(networks)
    .set({ ...values, status: to, statusSince: at })
    .where(
      and(
        byId(organizationId, id),
        inArray(networks.status, [...from]),
        runId === undefined ? undefined : eq(networks.lastRunId, runId),
      ),
    )
    .returning({ id: networks.id })
  return rows.length > 0
}

/** Networks whose turn it is to be compared with their clusters, in any organization; each gets its next turn. */
export async function claimDue(db: Db, now: Date, next: Date, limit: number) {
  const { rows } = await db.execute<{ id: string; organization_id: number }>(sql`
    update networks n set check_at = ${next.toISOString()}::timestamptz
    from (
      select id from networks
      where deleted_at is null and check_at <= ${now.toISOString()}::timestamptz
        and status in ('active', 'degraded', 'error')
      order by check_at limit ${limit} for update skip locked
    ) due
    where n.id = due.id
    returning n.id, n.organization_id`)
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id }))
}
