import type { Feature, Parts } from '../../feature.ts'
import type { NoticeHealth } from '../notifications/health-notices.ts'
import type { Credentials } from '../secrets/credentials.ts'
import type { Workflows } from '../workflows/service.ts'
import { createInsight } from './insight/insight.ts'
import { backupHandlers } from './backups/service.ts'
import type { OpenBackupStore } from './backups/backup-store.ts'
import { paletteDatabases } from './palette.ts'
import type { DatabaseProviders } from './provider.ts'
import { databaseHandlers } from './service.ts'
import { sqlHandlers } from './sql/sql-service.ts'
import { watchDatabases } from './watch.ts'
import { databaseWorkflows } from './workflows.ts'

type Needs = {
  providers: DatabaseProviders
  credentials: Credentials
  newPassword: () => string
  noticeHealth: NoticeHealth
  workflows: Pick<Workflows, 'startRun' | 'cancelRun'>
  machineId: string
  /** Where backups go. */
  openStore?: OpenBackupStore
}

export function databasesFeature({ database, metrics, clock, log, config }: Parts, needs: Needs) {
  const parts = { database, clock, ...needs }
  const insight = createInsight(parts)
  // A process that only serves requests leaves the servers to the others.
  const watch = config.role === 'web' ? undefined : watchDatabases({ ...parts, metrics, log })
  return {
    handlers: {
      ...databaseHandlers({ ...parts, lookNow: () => watch?.lookNow() }),
      ...sqlHandlers(parts),
      ...insight.handlers,
      ...backupHandlers(parts),
    },
    workflows: databaseWorkflows(parts),
    palette: { database: paletteDatabases },
    close: async () => {
      await watch?.stop()
      insight.stop()
    },
  } satisfies Feature
}
