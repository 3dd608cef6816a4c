import { databaseCan, deniedReason } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'

/** Whether this person may see the sessions of a database, and its server can be asked for them. */
export function useSessionsAllowed(database: Database): boolean {
  const denied = deniedReason(useRole(), 'databases.sessions')
  return database.engine === 'postgres' && denied === undefined && databaseCan.connect(database) === undefined
}
