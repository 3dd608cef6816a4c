import { entryOf } from '../../../platform/act.ts'
import { auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { Who } from '../../secrets/parts.ts'
import { databaseTarget } from '../present.ts'
import { auditedStatement } from '../../../platform/audit/audited-statement.ts'
import { endSession, findSession } from './end-session.ts'
import { findRow, type InsightParts } from './insight-parts.ts'
import { findLockMinute, listLockMinutes } from './lock-minutes.ts'
import { readSessions } from './sessions.ts'

type Names = `databases.${'sessions' | 'lockMinutes' | 'lockMinute' | 'cancelSession' | 'endSession'}`
type Named = { id: string; pid: number; identity: string; reason: string }

/** What sessions do, whom they hold up, and their end. */
export function sessionHandlers(parts: InsightParts): Handlers<Names> {
  const { database, clock, monitors } = parts

  /** Acts after the intent is in the audit trail: what cannot be recorded is not done. */
  async function end(act: 'cancel' | 'end', { id, pid, identity, reason }: Named, caller: Who) {
    const { organizationId } = caller
    const row = await findRow(parts, organizationId, id)
    const name = { pid, identity }
    const session = await monitors.use(row, (monitor) => findSession(monitor, name))
    const entry = entryOf(caller, {
      action: `database.session.${act}`,
      class: 'execute',
      target: databaseTarget(row),
      diff: {
        pid,
        client: session.client,
        username: session.username,
        state: session.state,
        statement: auditedStatement(session.statement),
        ...(reason !== '' && { reason }),
      },
    })
    const intent = auditRow({ ...entry, outcome: 'unknown' })
    const write = (each: typeof intent) =>
      database.withTenant(organizationId, (db) => insertAudit(db, [each]))
    await write(intent)
    try {
      const isDone = await monitors.use(row, (monitor) => endSession(monitor, name, act))
      await write(auditRow({ ...entry, outcome: isDone ? 'success' : 'failure', intentId: intent.id }))
      return { isDone }
    } catch (error) {
      await write(auditRow({ ...entry, outcome: 'failure', intentId: intent.id }))
      throw error
    }
  }

  return {
    'databases.sessions': async ({ caller, params }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const found = await monitors.use(row, readSessions)
      return { at: clock.now().toISOString(), ...found }
    },
    'databases.lockMinutes': async ({ caller: { organizationId }, params: { id }, query }) => {
      await findRow(parts, organizationId, id)
      const minutes = await database.readTenant(organizationId, (db) =>
        listLockMinutes(db, { organizationId, id }, query.atMost),
      )
      return { minutes }
    },
    'databases.lockMinute': async ({ caller: { organizationId }, params: { id, at } }) => {
      await findRow(parts, organizationId, id)
      const found = await database.readTenant(organizationId, (db) =>
        findLockMinute(db, { organizationId, id }, new Date(at)),
      )
      if (found !== undefined) return found
      throw new AppError('not_found', 'Nothing is kept of that moment: trees of locks are kept for 24 hours.')
    },
    'databases.cancelSession': ({ caller, params, body }) => end('cancel', { ...params, ...body }, caller),
    'databases.endSession': ({ caller, params, body }) => end('end', { ...params, ...body }, caller),
  }
}
