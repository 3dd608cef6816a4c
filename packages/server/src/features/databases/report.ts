import type { DatabaseStatus } from '@bey/contract'
import { act, serverItself } from '../../platform/act.ts'
import { publish } from '../../platform/live/publish.ts'
import type { Measured } from './measure.ts'
import { databaseTarget, isOtherHealth, presentFigures } from './present.ts'
import { samplesOf } from './samples.ts'
import { type DatabaseRow, lockDatabase, moveDatabase, updateDatabase } from './store.ts'
import { watchedStatuses, type WatchParts } from './watch-parts.ts'

type Restart = { at: Date; reason: string }

/** What was found when a database was looked at, written with its events. A database that moved on is left alone. */
export function createReports({
  database,
  metrics,
  clock,
}: Pick<WatchParts, 'database' | 'metrics' | 'clock'>) {
  return {
    /** The server answered. */
    async answered(row: DatabaseRow, found: Measured, restart?: Restart): Promise<void> {
      const { organizationId, id } = row
      const at = new Date(found.figures.at)
      await metrics.write(organizationId, { type: 'database', id }, at, samplesOf(found.figures))
      await database.withTenant(organizationId, async (db) => {
        const now = await lockDatabase(db, organizationId, id)
        if (now === undefined || !watchedStatuses.includes(now.status)) return
        const { engine, version, figures, notes } = found
        const restarted =
          restart === undefined ? {} : { restartedAt: restart.at, restartReason: restart.reason }
        const values = { engine, version, figures, notes, ...restarted }
        if (now.status === 'available') await updateDatabase(db, organizationId, id, values)
        else {
          await moveDatabase(db, now, [now.status], 'available', { ...values, reason: null }, clock.now())
          await act(db, serverItself(organizationId), {
            action: 'database.available',
            class: 'update',
            target: databaseTarget(now),
            diff: { status: { from: now.status, to: 'available' } },
          })
        }
        const isOther =
          now.engine !== engine ||
          now.version !== version ||
          now.notes.join() !== notes.join() ||
          isOtherHealth(now, figures) ||
          restart !== undefined
        if (now.status === 'available' && isOther) {
          await publish(db, { organizationId, type: 'DATABASES_UPDATE', data: { databaseId: id } })
        }
        const shown = presentFigures({ figures })
        if (shown !== null) {
          await publish(db, {
            organizationId,
            type: 'DATABASE_FIGURES_UPDATE',
            data: { databaseId: id, figures: shown },
          })
        }
      })
    },

    /** The server did not answer. */
    async silent(row: DatabaseRow, reason: string): Promise<void> {
      const { organizationId, id, provider } = row
      const to: DatabaseStatus = provider === 'embedded' ? 'degraded' : 'unreachable'
      await database.withTenant(organizationId, async (db) => {
        const now = await lockDatabase(db, organizationId, id)
        if (now === undefined || !watchedStatuses.includes(now.status)) return
        if (now.status === to && now.reason === reason) return
        if (now.status === to) {
          await updateDatabase(db, organizationId, id, { reason })
          await publish(db, { organizationId, type: 'DATABASES_UPDATE', data: { databaseId: id } })
          return
        }
        await moveDatabase(db, now, [now.status], to, { reason }, clock.now())
        await act(db, serverItself(organizationId), {
          action: `database.${to}`,
          class: 'update',
          outcome: 'failure',
          target: databaseTarget(now),
          diff: { status: { from: now.status, to }, reason },
          event: { type: 'DATABASES_UPDATE', data: { databaseId: id } },
        })
      })
    },
  }
}

export type Reports = ReturnType<typeof createReports>
