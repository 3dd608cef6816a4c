import { databasePlans, sqlName } from '@bey/contract'

import { act, type Member, type Person } from '../../../platform/act.ts'
import type { DemoPart } from '../../../platform/demo.ts'
import { insertNewDatabase } from '../new-database.ts'
import { type DatabaseParts, startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { findDatabase } from '../store.ts'

export const demoDatabaseName = 'shop-orders'
const plan = 'small'

/** A person of a demo as the caller of what they do. */
export const asCaller = (organizationId: number, user: Person): Member => ({
  organizationId,
  user,
  via: 'workflow',
  role: 'MEMBER',
})

/** The database of the shop, made by a run as every other; a demo on a machine without room for it goes without. */
export function databasesDemo(parts: DatabaseParts & { newPassword: () => string }): DemoPart {
  return async (db, { organizationId, people }) => {
    if ((await parts.providers.embedded.refusalOf(databasePlans[plan].memoryBytes)) !== undefined) return
    const who = asCaller(organizationId, people.noor)
    const name = sqlName(demoDatabaseName)
    const id = await insertNewDatabase(
      parts.credentials,
      db,
      {
        name: demoDatabaseName,
        description: 'Orders of the shop. Its data is invented, its load is real.',
        plan,
        provider: 'embedded',
        status: 'pending',
        databaseName: name,
        username: name,
        tls: 'disable',
      },
      parts.newPassword(),
      who,
    )
    const row = existing(await findDatabase(db, organizationId, id))
    const { runId } = await startDatabaseRun(parts, db, row, 'database.create', who)
    await act(db, who, {
      action: 'database.create',
      class: 'create',
      diff: { provider: 'embedded', plan },
      target: databaseTarget(row),
      runId,
    })
  }
}
