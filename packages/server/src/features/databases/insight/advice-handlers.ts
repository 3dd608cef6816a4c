import { act } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { databaseTarget } from '../present.ts'
import type { DatabaseRow } from '../store.ts'
import { listAdvice } from './advice.ts'
import { dismissAdvice } from './advice-store.ts'
import { findRow, type InsightParts } from './insight-parts.ts'

type Names = `databases.${'advice' | 'checkAdvice' | 'dismissAdvice'}`

/** Advice on databases. `check` counts the statements and applies the rules now. */
export function adviceHandlers(
  parts: InsightParts,
  check: (row: DatabaseRow) => Promise<void>,
): Handlers<Names> {
  const { database, clock } = parts
  const list = (organizationId: number, id: string) =>
    database.readTenant(organizationId, (db) => listAdvice(db, { organizationId, id }, clock.now()))

  return {
    'databases.advice': async ({ caller: { organizationId }, params: { id } }) => {
      await findRow(parts, organizationId, id)
      return list(organizationId, id)
    },
    'databases.checkAdvice': async ({ caller: { organizationId }, params: { id } }) => {
      await check(await findRow(parts, organizationId, id))
      return list(organizationId, id)
    },
    'databases.dismissAdvice': async ({ caller, params: { id }, body: { key, reason } }) => {
      const { organizationId, user } = caller
      const row = await findRow(parts, organizationId, id)
      await database.withTenant(organizationId, async (db) => {
        const dismissal = reason === null ? null : { at: clock.now(), by: user.id, reason }
        const content = await dismissAdvice(db, row, key, dismissal)
        if (content === undefined) {
          throw new AppError('not_found', 'There is no such advice on this database any more.')
        }
        await act(db, caller, {
          action: reason === null ? 'database.advice.reopen' : 'database.advice.dismiss',
          class: 'update',
          target: databaseTarget(row),
          diff: { advice: content.title, ...(reason !== null && { reason }) },
        })
      })
      return list(organizationId, id)
    },
  }
}
