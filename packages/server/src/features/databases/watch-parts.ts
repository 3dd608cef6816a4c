import type { DatabaseStatus } from '@bey/contract'

import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { NoticeHealth } from '../notifications/health-notices.ts'
import type { DatabaseParts } from './parts.ts'
import type { DatabaseRow } from './store.ts'

/** Statuses in which the server of a database should answer. */
export const watchedStatuses: readonly DatabaseStatus[] = [
  'available',
  'degraded',
  'connecting',
  'unreachable',
]

export type WatchParts = Omit<DatabaseParts, 'workflows'> & {
  machineId: string
  metrics: Pick<Metrics, 'write'>
  noticeHealth: NoticeHealth
  log: Log
  /** Transactions that Bey itself made in a database since this was last asked, beside those of the measure. */
  takeOwnTransactions: (id: string) => number
  /** Called when the server of a database has answered and that is stored. */
  onAnswer: (row: DatabaseRow) => void
  /** Looks after the backups of a database of this machine or on a cluster, beside the rest: a store may be slow. */
  lookAtBackups(row: DatabaseRow): Promise<void>
}
