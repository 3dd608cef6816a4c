import { act, serverItself } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { openEmbedded } from '../open-connection.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import { databaseTarget } from '../present.ts'
import { type DatabaseRow, lockDatabase } from '../store.ts'
import { endLogin, listOpenLogins, type LoginRow } from './login-rows.ts'
import { listLoginRoles, removeLoginRole } from './login-roles.ts'

type Parts = Pick<DatabaseParts, 'database' | 'providers' | 'clock'>

/**
 * Removes the users of a server whose time is over, with their connections, and those that Bey does not know, such as
 * those that a restored copy brought along. Throws where the server does not answer.
 */
export async function endLogins(
  { database, providers, clock }: Parts,
  row: DatabaseRow,
  isFirstLook = false,
): Promise<void> {
  const { organizationId, id, username: owner } = row
  const placement = placementOf(row)
  if (placement === null) return
  const listOpen = (db: Db) => listOpenLogins(db, organizationId, id)
  const isOver = ({ expiresAt }: LoginRow) => expiresAt <= clock.now()
  const before = await database.readTenant(organizationId, listOpen)
  if (!isFirstLook && !before.some(isOver)) return
  await database.withTenant(organizationId, async (db) => {
    // A user that is being made is not yet known to others: this waits until it is.
    await lockDatabase(db, organizationId, id)
    const open = await listOpen(db)
    const over = open.filter(isOver)
    await removeRoles(open, over)
    for (const login of over) {
      // oxlint-disable-next-line no-await-in-loop -- a few, in one transaction
      if (!(await endLogin(db, organizationId, login.id, clock.now()))) continue
      // oxlint-disable-next-line no-await-in-loop -- as above
      await act(db, serverItself(organizationId), {
        action: 'database.login.expire',
        class: 'execute',
        target: databaseTarget(row),
        diff: { username: login.username },
      })
    }
  })

  async function removeRoles(open: readonly LoginRow[], over: readonly LoginRow[]): Promise<void> {
    if (placement === null) return
    const admin = await openEmbedded(providers.embedded, placement, row.databaseName)
    try {
      const known = new Set(open.map(({ username }) => username))
      const strangers = (await listLoginRoles(admin)).filter((name) => !known.has(name))
      for (const name of [...over.map(({ username }) => username), ...strangers]) {
        // oxlint-disable-next-line no-await-in-loop -- a few, on one connection
        await removeLoginRole(admin, name, owner)
      }
    } finally {
      await admin.end()
    }
  }
}
