import { backupLimits, type DatabaseBackupPolicy } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { databaseBackupPolicies } from '../../../tables/database-backups.ts'

type PolicyValues = Omit<typeof databaseBackupPolicies.$inferSelect, 'databaseId' | 'organizationId'>

/** What holds while nobody changed it: backups when asked for, a week, with the WAL between them. */
const unchanged = {
  schedule: null,
  retentionDays: backupLimits.defaultRetentionDays,
  targetId: null,
  pitr: true,
  recoveryTimeMinutes: null,
  drillSchedule: null,
  drillBy: null,
  checks: [],
  version: 0,
  nextBackupAt: null,
  nextDrillAt: null,
  backupNote: null,
  drillNote: null,
}

const columns = {
  schedule: databaseBackupPolicies.schedule,
  retentionDays: databaseBackupPolicies.retentionDays,
  targetId: databaseBackupPolicies.targetId,
  pitr: databaseBackupPolicies.pitr,
  recoveryTimeMinutes: databaseBackupPolicies.recoveryTimeMinutes,
  drillSchedule: databaseBackupPolicies.drillSchedule,
  drillBy: databaseBackupPolicies.drillBy,
  checks: databaseBackupPolicies.checks,
  version: databaseBackupPolicies.version,
  nextBackupAt: databaseBackupPolicies.nextBackupAt,
  nextDrillAt: databaseBackupPolicies.nextDrillAt,
  backupNote: databaseBackupPolicies.backupNote,
  drillNote: databaseBackupPolicies.drillNote,
  updatedAt: databaseBackupPolicies.updatedAt,
}

export type BackupPolicy = Omit<PolicyValues, 'updatedAt'> & { updatedAt: Date | null }

export async function findPolicy(db: Db, organizationId: number, databaseId: string): Promise<BackupPolicy> {
  const [row] = await db
    .select(columns)
    .from(databaseBackupPolicies)
    .where(
      and(
        eq(databaseBackupPolicies.organizationId, organizationId),
        eq(databaseBackupPolicies.databaseId, databaseId),
      ),
    )
  return row ?? { ...unchanged, updatedAt: null }
}

export async function storePolicy(
  db: Db,
  organizationId: number,
  databaseId: string,
  values: Omit<PolicyValues, 'updatedAt'>,
): Promise<void> {
  await db
    .insert(databaseBackupPolicies)
    .values({ ...values, organizationId, databaseId })
    .onConflictDoUpdate({ target: databaseBackupPolicies.databaseId, set: values })
}

/** Notes when schedules come next and what became of the last ones; the policy stays as it is. */
export async function updateSchedules(
  db: Db,
  organizationId: number,
  databaseId: string,
  values: Partial<Pick<PolicyValues, 'nextBackupAt' | 'nextDrillAt' | 'backupNote' | 'drillNote'>>,
): Promise<void> {
  await db
    .update(databaseBackupPolicies)
    // When it was changed by people stays.
    .set({ ...values, updatedAt: databaseBackupPolicies.updatedAt })
    .where(
      and(
        eq(databaseBackupPolicies.organizationId, organizationId),
        eq(databaseBackupPolicies.databaseId, databaseId),
      ),
    )
}

export function presentPolicy(policy: BackupPolicy): DatabaseBackupPolicy {
  const time = (at: Date | null) => at?.toISOString() ?? null
  return {
    ...policy,
    updatedAt: time(policy.updatedAt),
    nextBackupAt: time(policy.nextBackupAt),
    nextDrillAt: time(policy.nextDrillAt),
  }
}
