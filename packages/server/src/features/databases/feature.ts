import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { NoticeHealth } from '../notifications/health-notices.ts'
import type { Credentials } from '../secrets/credentials.ts'
import type { Workflows } from '../workflows/service.ts'
import type { ClusterStepParts } from './cnpg/cluster-steps.ts'
import { comparisonHandlers } from './comparison/compare-databases.ts'
import { createInsight } from './insight/insight.ts'
import type { BackupPlaces } from './backup-targets/backup-places.ts'
import { changeHandlers } from './changes/change-handlers.ts'
import { changeWorkflows } from './changes/change-workflows.ts'
import { createStoreOpener } from './backup-targets/open-store.ts'
import { databaseDumps } from './dumps/dump-handlers.ts'
import { databasesDemo } from './demo/demo.ts'
import { databasesLife } from './demo/life.ts'
import { targetHandlers } from './backup-targets/target-service.ts'
import { clusterBackupHandlers } from './cnpg/cluster-backups.ts'
import { createBackups } from './backups/backups.ts'
import { databaseFaultHandlers } from './faults/fault-handlers.ts'
import { loginHandlers } from './logins/login-service.ts'
import { contentHandlers } from './manage/content-handlers.ts'
import { roleHandlers } from './manage/role-handlers.ts'
import { queryHandlers } from './queries/query-handlers.ts'
import { paletteDatabases } from './palette.ts'
import type { DatabaseProviders } from './provider.ts'
import { quotaHandlers } from './quota/quota-handlers.ts'
import { databaseHandlers } from './service.ts'
import type { DatabaseRow } from './store.ts'
import { sqlHandlers } from './sql/sql-service.ts'
import { watchDatabases } from './watch.ts'
import { databaseWorkflows } from './workflows.ts'
import { databaseResources } from './resources.ts'
import { targetResources } from './backup-targets/target-resources.ts'
import { databaseRelations } from './relations.ts'

type Needs = {
  providers: DatabaseProviders
  credentials: Credentials
  newPassword: () => string
  noticeHealth: NoticeHealth
  workflows: Pick<Workflows, 'startRun' | 'cancelRun'>
  machineId: string
  /** In whose name a run acts on clusters. */
  actorOf: ClusterStepParts['actorOf']
  dataKeys: DataKeys
}

export function databasesFeature(
  { database, metrics, clock, log, config, outbound, refusals }: Parts,
  needs: Needs,
  places: BackupPlaces,
) {
  const openStore = createStoreOpener({ database, places, ...needs })
  const parts = { database, clock, outbound, refusals, openStore, places, ...needs }
  const insight = createInsight({ ...parts, metrics, log })
  const faults = databaseFaultHandlers(parts)
  const dumps = databaseDumps({ ...parts, log })
  const backups = createBackups({ ...parts, log })
  const lookers = {
    onAnswer: insight.answered,
    takeOwnTransactions: insight.takeOwnTransactions,
    lookAtBackups: (row: DatabaseRow) =>
      row.provider === 'cnpg' ? backups.lookOnCluster(row) : backups.look(row),
  }
  // A process that only serves requests leaves the servers to the others.
  const watch = config.role === 'web' ? undefined : watchDatabases({ ...parts, metrics, log, ...lookers })
  const demoLife = databasesLife(parts)
  return {
    handlers: {
      ...databaseHandlers({ ...parts, lookNow: () => watch?.lookNow() }),
      ...sqlHandlers({ ...parts, onExecuted: insight.executed }),
      ...dumps.handlers,
      ...comparisonHandlers({ ...parts, metrics }),
      ...loginHandlers(parts),
      ...faults.handlers,
      ...quotaHandlers(parts),
      ...clusterBackupHandlers({ ...parts, lookNow: () => watch?.lookNow() }),
      ...changeHandlers(parts),
      ...roleHandlers(parts),
      ...queryHandlers(parts),
      ...contentHandlers(parts),
      ...insight.handlers,
      ...targetHandlers(parts),
      ...backups.handlers,
    },
    workflows: [
      ...databaseWorkflows({
        ...parts,
        finalBackup: backups.finalBackup,
        firstBackup: backups.firstBackup,
        shipWal: backups.shipWal,
      }),
      ...changeWorkflows(parts),
      ...backups.workflows,
    ],
    palette: { database: paletteDatabases },
    inventory: [databaseResources(database), targetResources(database)],
    relations: [databaseRelations(parts)],
    demo: databasesDemo(parts),
    demoLife,
    // A process that only serves requests reaches no directory of this machine.
    ...(config.role !== 'web' && { retention: backups.retention }),
    close: async () => {
      faults.stop()
      dumps.stop()
      await demoLife.closeAll()
      await watch?.stop()
      await backups.stop()
      await insight.stop()
    },
  } satisfies Feature
}
