/** Who runs the server of a database: Bey on its own machine, somebody else, or CloudNativePG on a connected cluster. */
export const databaseProviders = ['embedded', 'external', 'cnpg'] as const
export type DatabaseProviderId = (typeof databaseProviders)[number]

export const databaseStatuses = [
  'pending',
  'provisioning',
  'available',
  'updating',
  'restarting',
  'scaling',
  'failing_over',
  'degraded',
  'hibernating',
  'hibernated',
  'resuming',
  'error',
  'connecting',
  'unreachable',
  'deleting',
  'deleted',
] as const
export type DatabaseStatus = (typeof databaseStatuses)[number]

/**
 * Legal moves of a database. What Bey runs begins `pending`, what somebody else runs begins `connecting`. A failed
 * restart or hibernation leaves it `degraded` until its server answers; a failed resume leaves it `hibernated`.
 */
export const databaseMoves: Record<DatabaseStatus, readonly DatabaseStatus[]> = {
  pending: ['provisioning', 'error', 'deleting'],
  provisioning: ['available', 'error', 'deleting'],
  available: [
    'updating',
    'restarting',
    'scaling',
    'failing_over',
    'degraded',
    'hibernating',
    'connecting',
    'unreachable',
    'deleting',
  ],
  updating: ['available', 'degraded', 'error', 'deleting'],
  restarting: ['available', 'degraded', 'deleting'],
  scaling: ['available', 'degraded', 'deleting'],
  failing_over: ['available', 'degraded', 'deleting'],
  degraded: ['available', 'updating', 'restarting', 'scaling', 'failing_over', 'hibernating', 'deleting'],
  hibernating: ['hibernated', 'degraded', 'deleting'],
  hibernated: ['resuming', 'deleting'],
  resuming: ['available', 'hibernated', 'deleting'],
  error: ['provisioning', 'deleting'],
  connecting: ['available', 'unreachable', 'deleting'],
  unreachable: ['available', 'connecting', 'deleting'],
  // Back where its final backup failed.
  deleting: ['deleted', 'error', 'degraded'],
  deleted: [],
}

/** A status as people read it: `failing over`. */
export function databaseStatusLabel(status: DatabaseStatus): string {
  return status.replaceAll('_', ' ')
}
