import type { DataKeys } from '../../../platform/crypto/data-keys.ts'
import type { Log } from '../../../platform/log.ts'
import type { NoticeHealth } from '../../notifications/health-notices.ts'
import { createDrillClusterCleanup } from '../cnpg/drill-cluster.ts'
import type { ClusterStepParts } from '../cnpg/cluster-steps.ts'
import type { DatabaseParts } from '../parts.ts'
import type { DatabaseRow } from '../store.ts'
import { createTroubleLook } from './backup-trouble.ts'
import { createArchiver } from './archiver.ts'
import { backupActs } from './backup-acts.ts'
import type { OpenBackupStore } from './backup-store.ts'
import { backupWorkflow } from './backup-workflow.ts'
import { createBackupRetention } from './backup-retention.ts'
import { deletedDatabaseHandlers } from './deleted-databases.ts'
import { finalBackup } from './final-backup.ts'
import { firstBackup } from './first-backup-step.ts'
import { createDrillCleanup } from './drill-server.ts'
import { drillWorkflow } from './drill-workflow.ts'
import { drillHandlers } from './start-drill.ts'
import { createSchedules } from './schedules.ts'
import { momentHandlers } from './moments.ts'
import { createLeftovers } from './leftovers.ts'
import { makeFirstBackup } from './first-backup.ts'
import { restoreActs } from './restore-acts.ts'
import { restoreWorkflow } from './restore-workflow.ts'
import { backupHandlers } from './service.ts'
import { copyRowsWorkflow } from './left-rows/copy-rows-workflow.ts'
import { leftRowsActs } from './left-rows/left-rows-acts.ts'
import { restoreTableWorkflow } from './one-table/restore-table-workflow.ts'
import { swapActs } from './swap-acts.ts'
import { swapWorkflows } from './swap-workflows.ts'

/** Backups of databases, the archive of their WAL, and what is made of them. */
export function createBackups(
  options: DatabaseParts & {
    openStore: OpenBackupStore
    newPassword: () => string
    log: Log
    machineId: string
    noticeHealth: NoticeHealth
    actorOf: ClusterStepParts['actorOf']
    dataKeys: DataKeys
  },
) {
  const archiver = createArchiver(options)
  const removeLeftovers = createLeftovers(options)
  const parts = { ...options, archiver, removeLeftovers }
  const removeDrillServers = createDrillCleanup(options)
  const removeDrillClusters = createDrillClusterCleanup(options)
  const lookAtSchedules = createSchedules(parts)
  const lookAtTrouble = createTroubleLook(options)
  const backup = backupWorkflow(parts)
  return {
    handlers: {
      ...backupHandlers(parts),
      ...backupActs(parts),
      ...restoreActs(parts),
      ...swapActs(parts),
      ...leftRowsActs(parts),
      ...drillHandlers(parts),
      ...momentHandlers(parts),
      ...deletedDatabaseHandlers(parts),
    },
    shipWal: archiver.round,
    /** The first step of a deletion. */
    finalBackup: finalBackup(parts, backup.steps),
    /** The last step of a creation. */
    firstBackup: firstBackup(parts, backup.steps),
    workflows: [
      backup,
      restoreWorkflow(parts),
      restoreTableWorkflow(parts),
      ...swapWorkflows(parts),
      copyRowsWorkflow(parts),
      drillWorkflow(parts),
    ],
    /** Begins what is due, brings to the store what the server of a database archived, and removes what failed backups left. */
    async look(row: DatabaseRow): Promise<void> {
      await lookAtSchedules(row)
      await lookAtTrouble(row)
      await archiver.round(row)
      await makeFirstBackup(options, row)
      await removeLeftovers(row.organizationId, row.id)
      await removeDrillServers(row.organizationId, row.id)
    },
    /** The same for a database on a cluster, whose operator makes and keeps the backups. */
    async lookOnCluster(row: DatabaseRow): Promise<void> {
      await lookAtSchedules(row)
      await lookAtTrouble(row)
      await removeDrillClusters(row.organizationId, row.id)
    },
    /** Removes what nothing that was promised needs any more. */
    retention: createBackupRetention(parts),
    stop: () => archiver.stop(),
  }
}
