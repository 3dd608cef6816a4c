import type { DatabaseEngine } from './engines.ts'
import { engineRefusal } from './engines.ts'
import { databaseCan } from './rules.ts'
import type { DatabaseProviderId, DatabaseStatus } from './statuses.ts'

export const dumpLimits = {
  /** Dumps that one server of Bey makes at a time, and those of one database. */
  atOnce: 3,
  atOncePerDatabase: 1,
  /** A dump that is not read to its end by then is ended: its snapshot keeps the server from cleaning up. */
  maxHours: 6,
} as const

/** Where the program `pg_dump` runs: on the machine of Bey, or in the pod of the primary. */
export const dumpPlaces = ['machine', 'pod'] as const

type Subject = { engine: DatabaseEngine; provider: DatabaseProviderId; status: DatabaseStatus }

/** Why no dump of a database can be made in its present state, or undefined. */
export function dumpRefusal(database: Subject): string | undefined {
  return engineRefusal(database) ?? databaseCan.connect(database)
}

/** The name of the file that a dump is offered as. */
export function dumpFileName(databaseName: string, at: Date): string {
  const safe = databaseName.replaceAll(/[^\w.-]/g, '-')
  return `${safe}-${at.toISOString().slice(0, 16).replaceAll(':', '')}.dump`
}
