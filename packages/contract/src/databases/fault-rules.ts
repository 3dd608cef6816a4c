import { quotaFaultTable } from './quota-rules.ts'
import { type DatabaseProviderId, type DatabaseStatus, databaseStatusLabel } from './statuses.ts'

/** What can be broken in a database on purpose. */
export const databaseFaultKinds = ['kill', 'hold_lock', 'slow_query', 'fill_quota'] as const
export type DatabaseFaultKind = (typeof databaseFaultKinds)[number]

export const faultSeconds = { min: 5, max: 600, default: 60 } as const

/** The `application_name` of sessions that break something on purpose. */
export const faultSession = 'bey-fault'

export const databaseFaults: Readonly<Record<DatabaseFaultKind, { title: string; about: string }>> = {
  kill: {
    title: 'Kill the server',
    about:
      'Ends its process by SIGKILL, as the system does when memory runs out. Open connections end, nothing that was committed is lost, and the server is started again.',
  },
  hold_lock: {
    title: 'Hold a lock',
    about: `Locks its largest table in a transaction that stays idle. Whatever reads or writes the table waits; Locks shows the session "${faultSession}".`,
  },
  slow_query: {
    title: 'Run a slow query',
    about: 'Keeps one processor core busy with a query that finds nothing and reads no table.',
  },
  fill_quota: {
    title: 'Fill its disk quota',
    about: `Fills what is left of its disk quota with the table ${quotaFaultTable.schema}.${quotaFaultTable.table}, so that it refuses to write. The table is dropped after the time, or by End fault.`,
  },
}

/** Why a database cannot be broken on purpose, or undefined. */
export function faultRefusal({
  provider,
  status,
}: {
  provider: DatabaseProviderId
  status: DatabaseStatus
}): string | undefined {
  if (provider !== 'embedded') return 'Its server is not run by Bey.'
  return status === 'available'
    ? undefined
    : `It is ${databaseStatusLabel(status)}; only a database that is available is broken on purpose.`
}
