import { secretSyncLimits } from '@bey/contract'
import { and, asc, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { clusters } from '../../../tables/clusters.ts'
import { secretSyncs } from '../../../tables/secret-syncs.ts'
import { users } from '../../../tables/users.ts'

export type SyncRow = Awaited<ReturnType<typeof listSyncs>>[number]
export type NewSync = typeof secretSyncs.$inferInsert
export type SyncChange = Partial<Omit<NewSync, 'id' | 'organizationId' | 'secretId'>>

const columns = {
  id: secretSyncs.id,
  organizationId: secretSyncs.organizationId,
  secretId: secretSyncs.secretId,
  clusterId: secretSyncs.clusterId,
  clusterTitle: clusters.title,
  namespace: secretSyncs.namespace,
  name: secretSyncs.name,
  kubernetesType: secretSyncs.kubernetesType,
  keys: secretSyncs.keys,
  labels: secretSyncs.labels,
  restarts: secretSyncs.restarts,
  correctsDrift: secretSyncs.correctsDrift,
  onRemoval: secretSyncs.onRemoval,
  takesOver: secretSyncs.takesOver,
  state: secretSyncs.state,
  removal: secretSyncs.removal,
  syncedVersion: secretSyncs.syncedVersion,
  syncedAt: secretSyncs.syncedAt,
  checkedAt: secretSyncs.checkedAt,
  restartVersion: secretSyncs.restartVersion,
  drift: secretSyncs.drift,
  driftHash: secretSyncs.driftHash,
  acceptedHash: secretSyncs.acceptedHash,
  putsRight: secretSyncs.putsRight,
  error: secretSyncs.error,
  attempts: secretSyncs.attempts,
  claim: secretSyncs.claim,
  createdBy: secretSyncs.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: secretSyncs.createdAt,
}

const of = (organizationId: number, id: string) =>
  and(eq(secretSyncs.organizationId, organizationId), eq(secretSyncs.id, id))

function selectSyncs(db: Db) {
  return db
    .select(columns)
    .from(secretSyncs)
    .innerJoin(clusters, eq(clusters.id, secretSyncs.clusterId))
    .leftJoin(users, eq(users.id, secretSyncs.createdBy))
    .$dynamic()
}

/** Those of a secret, by cluster, namespace and name. */
export function listSyncs(db: Db, organizationId: number, secretId: string) {
  return selectSyncs(db)
    .where(and(eq(secretSyncs.organizationId, organizationId), eq(secretSyncs.secretId, secretId)))
    .orderBy(asc(clusters.title), asc(secretSyncs.namespace), asc(secretSyncs.name))
    .limit(secretSyncLimits.perSecret)
}

export async function findSync(db: Db, organizationId: number, id: string): Promise<SyncRow | undefined> {
  const rows = await selectSyncs(db).where(of(organizationId, id))
  return rows[0]
}

export async function insertSync(db: Db, values: NewSync): Promise<void> {
  await db.insert(secretSyncs).values(values)
}

export async function updateSync(db: Db, organizationId: number, id: string, change: SyncChange) {
  await db.update(secretSyncs).set(change).where(of(organizationId, id))
}

/** Changes it unless somebody else has claimed it meanwhile; answers whether it did. */
export async function finishSync(
  db: Db,
  { organizationId, id, claim }: Pick<SyncRow, 'organizationId' | 'id' | 'claim'>,
  change: SyncChange,
): Promise<boolean> {
  if (claim === null) return false
  const rows = await db
    .update(secretSyncs)
    .set({ ...change, claim: null })
    .where(and(of(organizationId, id), eq(secretSyncs.claim, claim)))
    .returning({ id: secretSyncs.id })
  return rows.length > 0
}

export async function deleteSync(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(secretSyncs).where(of(organizationId, id))
}

/** Has the copies of a secret looked at at once: the process that works on them now learns that its work is out of date. */
export async function touchSyncs(db: Db, organizationId: number, secretId: string, now: Date): Promise<void> {
  await db
    .update(secretSyncs)
    .set({ nextAt: now, claim: null, attempts: 0 })
    .where(
      and(
        eq(secretSyncs.organizationId, organizationId),
        eq(secretSyncs.secretId, secretId),
        ne(secretSyncs.state, 'removing'),
      ),
    )
}

/** Lets the copies of a secret that is destroyed go as each was set to. */
export async function removeSyncs(
  db: Db,
  organizationId: number,
  secretId: string,
  now: Date,
): Promise<void> {
  await db
    .update(secretSyncs)
    .set({ state: 'removing', removal: sql`${secretSyncs.onRemoval}`, nextAt: now, claim: null })
    .where(and(eq(secretSyncs.organizationId, organizationId), eq(secretSyncs.secretId, secretId)))
}

/** Claims what is due for a while, in every organization: of several servers each gets others. */
export async function claimDue(
  db: Db,
  { now, until, claim, limit }: { now: Date; until: Date; claim: string; limit: number },
): Promise<{ organizationId: number; id: string }[]> {
  const due = db
    .select({ id: secretSyncs.id })
    .from(secretSyncs)
    .where(lte(secretSyncs.nextAt, now))
    .orderBy(asc(secretSyncs.nextAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  return db
    .update(secretSyncs)
    .set({ nextAt: until, claim })
    .where(inArray(secretSyncs.id, due))
    .returning({ organizationId: secretSyncs.organizationId, id: secretSyncs.id })
}
