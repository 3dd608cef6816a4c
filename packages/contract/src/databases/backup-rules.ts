import type { DatabaseProviderId, DatabaseStatus } from './statuses.ts'
import { databaseStatusLabel } from './statuses.ts'

export const backupKinds = ['full', 'wal', 'logical'] as const
export type BackupKind = (typeof backupKinds)[number]

export const backupTriggers = ['manual', 'schedule', 'before_delete', 'before_swap', 'after_restore'] as const
export type BackupTrigger = (typeof backupTriggers)[number]

export const backupStatuses = [
  'pending',
  'running',
  'finalizing',
  'completed',
  'failed',
  'verifying',
  'verified',
  'verify_failed',
  'expired',
  'deleted',
] as const
export type BackupStatus = (typeof backupStatuses)[number]

/**
 * Legal moves of a backup. `finalizing`: its files are stored, and the WAL that makes them consistent is being stored. A
 * check that could not run leads back to the status before it, never to `verified`.
 */
export const backupMoves: Record<BackupStatus, readonly BackupStatus[]> = {
  pending: ['running', 'failed'],
  running: ['finalizing', 'failed'],
  finalizing: ['completed', 'failed'],
  completed: ['verifying', 'expired', 'deleted'],
  failed: ['deleted'],
  verifying: ['verified', 'verify_failed', 'completed'],
  verified: ['verifying', 'expired', 'deleted'],
  verify_failed: ['verifying', 'expired', 'deleted'],
  expired: ['deleted'],
  deleted: [],
}

/** `table`: one table of a moment, copied into the database that runs. */
export const restoreKinds = ['restore', 'drill', 'table'] as const
export type RestoreKind = (typeof restoreKinds)[number]

export const restoreStatuses = [
  'pending',
  'preparing',
  'restoring',
  'replaying',
  'validating',
  'copying',
  'completed',
  'failed',
  'cancelled',
] as const
export type RestoreStatus = (typeof restoreStatuses)[number]

/** Legal moves of a restore; `copying` is of one table. One that failed or was cancelled can be started again. */
export const restoreMoves: Record<RestoreStatus, readonly RestoreStatus[]> = {
  pending: ['preparing', 'failed', 'cancelled'],
  preparing: ['restoring', 'failed', 'cancelled'],
  restoring: ['replaying', 'failed', 'cancelled'],
  replaying: ['validating', 'copying', 'failed', 'cancelled'],
  validating: ['completed', 'failed', 'cancelled'],
  copying: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: ['pending'],
  cancelled: ['pending'],
}

/**
 * What a drill proved. `passed`: restored, and every check answered as it should. `failed`: it could not be restored from,
 * or a check failed. `could_not_run`: nothing, for lack of memory or a store that is away, for example.
 */
export const drillProofs = ['passed', 'failed', 'could_not_run'] as const
export type DrillProof = (typeof drillProofs)[number]

export const swapStatuses = [
  'pending',
  'running',
  'completed',
  'failed',
  'undoing',
  'undone',
  'ended',
] as const
export type SwapStatus = (typeof swapStatuses)[number]

/** Legal moves of a swap. `ended`: the time to undo it is over. */
export const swapMoves: Record<SwapStatus, readonly SwapStatus[]> = {
  pending: ['running', 'failed'],
  running: ['completed', 'failed'],
  completed: ['undoing', 'ended'],
  failed: ['pending'],
  undoing: ['undone', 'completed'],
  undone: [],
  ended: [],
}

export const backupLimits = {
  retentionDays: 365,
  defaultRetentionDays: 7,
  /** Checks of a drill or restore, and the characters of each. */
  checks: 20,
  checkName: 100,
  checkSql: 10_000,
  /** How long the old database is kept after a swap. */
  swapUndoHours: 24,
  /** A server that is written to closes a segment of WAL at least so often. */
  archiveSeconds: 60,
  /** Bey brings segments to where backups go so often. */
  roundSeconds: 15,
  /** Minutes that can be promised: a week. */
  recoveryTimeMinutes: 10_080,
  /** Ticks of drills that lists show of a database. */
  shownDrills: 14,
} as const

/** What is counted at most before a swap. */
export const swapComparisonLimits = {
  tables: 100,
  clients: 50,
  /** For one table, in ms. */
  countMs: 3_000,
  /** For all tables of a database, in ms; what is left then is estimated. */
  totalMs: 12_000,
} as const

/** Statuses of a backup whose files are in the store and can be restored from. */
export const restorableStatuses: readonly BackupStatus[] = ['completed', 'verifying', 'verified']

const backupsUnderWay: readonly BackupStatus[] = ['pending', 'running', 'finalizing', 'verifying']

type BackupSubject = { status: BackupStatus; isLocked: boolean }

/** What the state of a backup allows. Each answers why not, or undefined. */
export const backupCan = {
  delete({ status, isLocked }: BackupSubject): string | undefined {
    if (isLocked) return 'It is locked. Unlock it first.'
    if (status === 'deleted') return 'It is deleted already.'
    if (status === 'verifying') return 'A check restores from it at the moment. Wait until that is done.'
    if (backupsUnderWay.includes(status)) return 'It is still being made. Cancel its run first.'
    return undefined
  },
  restore({ status }: Pick<BackupSubject, 'status'>): string | undefined {
    if (restorableStatuses.includes(status)) return undefined
    if (backupsUnderWay.includes(status)) return 'It is still being made. Wait until that is done.'
    if (status === 'verify_failed') return 'Its last check failed. Choose another backup.'
    return `A backup that is ${status} cannot be restored.`
  },
}

type DatabaseSubject = { provider: DatabaseProviderId; status: DatabaseStatus }

export const notOurServer = 'Its server is not run by Bey, which cannot copy its files.'

/** Why Bey itself keeps no backups of a database on a cluster. */
export const backedUpByOperator =
  'CloudNativePG runs its server: what its Cluster names decides whether and where it is backed up.'

/** Why no restore drill of this database can be begun, or undefined. */
export function drillRefusal({ provider }: Pick<DatabaseSubject, 'provider'>): string | undefined {
  return provider === 'external' ? notOurServer : undefined
}

/** Why a backup of this database cannot be started, or undefined. */
export function backupRefusal({ provider, status }: DatabaseSubject): string | undefined {
  if (provider === 'external') return notOurServer
  if (provider === 'cnpg') return backedUpByOperator
  if (status === 'available' || status === 'degraded') return undefined
  if (status === 'hibernated') return 'It is hibernated. Resume it first.'
  return `It is ${databaseStatusLabel(status)}; a backup needs a server that answers.`
}
