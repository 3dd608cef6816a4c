import type { DatabasePlanId } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'

/** What is restored: a database, or one that was deleted and of which backups are left. */
export interface RestoreSource {
  id: string
  name: string
  plan: DatabasePlanId | null
  /** Undefined where it is deleted. */
  live: Database | undefined
}
