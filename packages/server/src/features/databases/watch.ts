import { backupLimits } from '@bey/contract'

import { followClusters } from './cnpg/follow-clusters.ts'
import { createCnpgLook } from './cnpg/look-at-cnpg.ts'
import { watchedOnCluster } from './cnpg/seen.ts'
import { createExternalLook } from './look-at-external.ts'
import { sendDatabaseMessage } from './database-messages.ts'
import { createEmbeddedLook } from './look-at-embedded.ts'
import { withoutOwn } from './measure.ts'
import { createReports, type Reports } from './report.ts'
import { presentDatabase } from './present.ts'
import { placementOf } from './parts.ts'
import { announceHealth, claimDue, type DatabaseRow, findDatabase, findOwner } from './store.ts'
import { watchedStatuses, type WatchParts } from './watch-parts.ts'

const periodMs = 1_000
const roundMs = backupLimits.roundSeconds * 1_000
const atOnce = 8

/**
 * Looks at every database each 15 s: keeps the servers of this machine running, measures what each answers, and says
 * which cannot be reached. Several processes share the work.
 */
export function watchDatabases(parts: WatchParts) {
  const { database, providers, clock, log, machineId, noticeHealth } = parts
  const { answered, silent } = createReports(parts)
  const reports: Reports = {
    silent,
    async answered(row, found, restart) {
      await answered(row, withoutOwn(found, row.figures, parts.takeOwnTransactions(row.id)), restart)
      if (!isStopped) parts.onAnswer(row)
    },
  }
  const lookAtEmbedded = createEmbeddedLook(parts, reports)
  const lookAtExternal = createExternalLook(parts, reports)
  const lookAtCnpg = createCnpgLook({
    ...parts,
    onAnswer: (row) => (isStopped ? undefined : parts.onAnswer(row)),
  })
  const clusters = followClusters(parts, () => begin())
  const busy = new Map<string, Promise<void>>()
  const archiving = new Map<string, Promise<void>>()
  let looking: Promise<void> | undefined
  let isStopped = false

  async function claim(): Promise<void> {
    const limit = atOnce - busy.size
    if (limit <= 0 || isStopped) return
    const now = clock.now()
    const next = new Date(now.getTime() + roundMs)
    const due = await database.asSystem('look after databases', (db) =>
      claimDue(db, machineId, now, next, limit),
    )
    for (const { organizationId, id } of due) quietly(look(organizationId, id))
  }

  function look(organizationId: number, id: string): Promise<void> {
    const under = busy.get(id)
    if (under !== undefined || isStopped) return under ?? Promise.resolve()
    const work = lookAt(organizationId, id).finally(() => busy.delete(id))
    busy.set(id, work)
    return work
  }

  async function lookAt(organizationId: number, id: string): Promise<void> {
    const row = await database.readTenant(organizationId, (db) => findDatabase(db, organizationId, id))
    if (row === undefined) return
    if (row.provider === 'cnpg') {
      if (!watchedOnCluster.includes(row.status)) return
      clusters.follow(row)
      await lookAtCnpg(row)
    } else {
      if (!watchedStatuses.includes(row.status)) return
      await (row.provider === 'embedded' ? lookAtEmbedded(row) : lookAtExternal(row))
    }
    await tell(organizationId, id)
    const placement = placementOf(row)
    if (row.provider === 'cnpg' || (placement !== null && providers.embedded.isHere(placement))) {
      lookAtBackups(row)
    }
  }

  /** Apart from the look: a store may be slow. */
  function lookAtBackups(row: DatabaseRow): void {
    if (isStopped || archiving.has(row.id)) return
    const work = parts.lookAtBackups(row).finally(() => archiving.delete(row.id))
    archiving.set(row.id, work)
    quietly(work)
  }

  /** Tells the members of trouble that lasts, and of its end. */
  async function tell(organizationId: number, id: string): Promise<void> {
    await database.withTenant(organizationId, async (db) => {
      const to = await announceHealth(db, organizationId, id, clock.now())
      const row = to && (await findDatabase(db, organizationId, id))
      if (!to || !row) return
      const { health } = presentDatabase(row)
      const { name } = row
      await noticeHealth(db, {
        organizationId,
        subject: { type: 'database', id, name },
        href: `/databases/${id}`,
        to,
        health,
      })
      if (to === 'trouble') {
        const message = { databaseId: id, name, reason: health.detail, runId: null }
        await sendDatabaseMessage(db, organizationId, 'database.failed', message)
      }
    })
  }

  function quietly(work: Promise<void>): void {
    work.catch((error: unknown) =>
      log.debug({ err: error }, 'Databases could not be looked after; the next round tries again'),
    )
  }

  function begin(): void {
    looking ??= claim().finally(() => (looking = undefined))
    quietly(looking)
  }

  providers.embedded.onExit((id, reason) => {
    if (isStopped) return
    log.warn({ databaseId: id, reason }, 'The server of a database ended')
    quietly(afterExit(id, reason))
  })

  async function afterExit(id: string, reason: string): Promise<void> {
    const organizationId = await database.asSystem('look after databases', (db) => findOwner(db, id))
    if (organizationId === undefined) return
    const row = await database.readTenant(organizationId, (db) => findDatabase(db, organizationId, id))
    if (row?.status !== 'available' && row?.status !== 'degraded') return
    await reports.silent(row, reason)
    // One that had begun before the server ended knows nothing of that.
    await busy.get(id)?.catch(() => undefined)
    await look(organizationId, id)
  }

  begin()
  const cancel = clock.setInterval(begin, periodMs)
  return {
    /** Looks at what is due without waiting for the next second. */
    lookNow: begin,
    async stop() {
      isStopped = true
      cancel()
      clusters.stop()
      await looking?.catch(() => undefined)
      await Promise.allSettled(busy.values())
      await Promise.allSettled(archiving.values())
    },
  }
}
