import { faultRefusal, type ParsedInput } from '@bey/contract'

import { entryOf } from '../../../platform/act.ts'
import { auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { NoticeHealth } from '../../notifications/health-notices.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import type { DatabasePlacement } from '../provider.ts'
import { type DatabaseRow, findDatabase } from '../store.ts'
import { createFaultSessions } from './fault-sessions.ts'
import { fillQuota } from './fill-quota.ts'

type Parts = Pick<DatabaseParts, 'database' | 'providers' | 'credentials' | 'clock'> & {
  noticeHealth: NoticeHealth
}
type Fault = ParsedInput<'databases.break'>['body']

/** Breaks databases of this machine on purpose, so that people see how trouble looks and how it is found. */
export function databaseFaultHandlers(parts: Parts): {
  handlers: Handlers<'databases.break'>
  stop: () => void
} {
  const { database, providers, clock } = parts
  const sessions = createFaultSessions(parts)

  async function breakIt(row: DatabaseRow, placement: DatabasePlacement, { kind, seconds }: Fault) {
    switch (kind) {
      case 'kill':
        return providers.embedded.kill(row.id, placement)
      case 'hold_lock':
        return sessions.holdLock(row, seconds)
      case 'slow_query':
        return sessions.runSlowly(row, seconds)
      case 'fill_quota':
        return fillQuota(parts, row, placement, seconds)
    }
  }

  return {
    handlers: {
      'databases.break': async ({ caller, params: { id }, body }) => {
        const { organizationId } = caller
        const row = await database.readTenant(organizationId, async (db) =>
          existing(await findDatabase(db, organizationId, id)),
        )
        const refusal = faultRefusal(row)
        const placement = placementOf(row)
        if (refusal !== undefined || placement === null) {
          throw new AppError(
            'conflict',
            `The database "${row.name}" was left alone: ${refusal ?? 'it has no server.'}`,
          )
        }
        if (!providers.embedded.isHere(placement)) {
          throw new AppError('database_unreachable', `The server of "${row.name}" runs on another machine.`)
        }
        const entry = entryOf(caller, {
          action: 'database.break',
          class: 'execute',
          target: databaseTarget(row),
          diff: { fault: body.kind, ...(body.kind !== 'kill' && { seconds: body.seconds }) },
        })
        // What cannot be recorded is not done.
        const intent = auditRow({ ...entry, outcome: 'unknown' })
        const write = (each: typeof intent) =>
          database.withTenant(organizationId, (db) => insertAudit(db, [each]))
        await write(intent)
        try {
          const text = await breakIt(row, placement, body)
          await write(auditRow({ ...entry, outcome: 'success', intentId: intent.id }))
          const endsAt = new Date(clock.now().getTime() + body.seconds * 1_000)
          return { text, endsAt: body.kind === 'kill' ? null : endsAt.toISOString() }
        } catch (error) {
          await write(auditRow({ ...entry, outcome: 'failure', intentId: intent.id }))
          throw error
        }
      },
    },
    stop: sessions.stop,
  }
}
