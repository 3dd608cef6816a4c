import { databaseMoves, type DatabaseStatus } from '@bey/contract'

import { act, serverItself } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { publish } from '../../../platform/live/publish.ts'
import type { CnpgObserved } from '../../../tables/databases.ts'
import type { Measured } from '../measure.ts'
import { databaseTarget, isOtherHealth, presentFigures } from '../present.ts'
import { samplesOf } from '../samples.ts'
import { type DatabaseRow, listOpenRuns, lockDatabase, moveDatabase, updateDatabase } from '../store.ts'
import type { WatchParts } from '../watch-parts.ts'
import type { ClusterState } from './cluster-state.ts'

/** What a look at a database on a cluster found. */
export type Look = {
  /** Undefined where its Cluster could not be read. */
  cluster?: { state: ClusterState; observed: CnpgObserved }
  /** Undefined where its server was not asked or did not answer. */
  measured?: Measured
  /** Why its Cluster or its server did not answer. */
  problem?: string
}

/** Statuses in which a database on a cluster is looked at; in others a run works on it. */
export const watchedOnCluster: readonly DatabaseStatus[] = [
  'available',
  'degraded',
  'connecting',
  'unreachable',
  'updating',
  'restarting',
  'scaling',
  'failing_over',
  'hibernating',
  'hibernated',
  'resuming',
]

/** Writes what a look found, with its events. While a run works on the database, its status is the run's. */
export function createSeen({ database, metrics, clock }: Pick<WatchParts, 'database' | 'metrics' | 'clock'>) {
  return async function seen(row: DatabaseRow, look: Look): Promise<void> {
    const { organizationId, id } = row
    const { measured } = look
    if (measured !== undefined) {
      const at = new Date(measured.figures.at)
      await metrics.write(organizationId, { type: 'database', id }, at, samplesOf(measured.figures))
    }
    await database.withTenant(organizationId, async (db) => {
      const now = await lockDatabase(db, organizationId, id)
      if (now === undefined || now.cnpg === null || !watchedOnCluster.includes(now.status)) return
      const before = now.cnpg.observed
      const observed = newer(before, look.cluster?.observed)
      const values = {
        cnpg: { ...now.cnpg, observed },
        ...(measured && { version: measured.version, figures: measured.figures, notes: measured.notes }),
      }
      await updateDatabase(db, organizationId, id, values)
      // What was found before the status moved says nothing of it now: the next look does.
      const isOld = now.status !== row.status || now.lastRunId !== row.lastRunId
      const isBusy = isOld || (await listOpenRuns(db, organizationId, id)).length > 0
      const hasMoved = !isBusy && (await moveTo(db, now, statusAfter(now.status, look)))
      if (!hasMoved && (isOther(before, observed) || (measured && isOtherServer(now, measured)))) {
        await publish(db, { organizationId, type: 'DATABASES_UPDATE', data: { databaseId: id } })
      }
      const figures = measured && presentFigures(measured)
      if (figures) {
        const data = { databaseId: id, figures }
        await publish(db, { organizationId, type: 'DATABASE_FIGURES_UPDATE', data })
      }
    })
  }

  async function moveTo(
    db: Db,
    row: DatabaseRow,
    { status: to, reason }: { status: DatabaseStatus; reason: string | null },
  ): Promise<boolean> {
    const { organizationId, id } = row
    if (row.status === to && row.reason === reason) return false
    if (row.status === to) {
      await updateDatabase(db, organizationId, id, { reason })
      await publish(db, { organizationId, type: 'DATABASES_UPDATE', data: { databaseId: id } })
      return true
    }
    const path = pathOf(row.status, to)
    if (path === undefined) return false
    let from = row.status
    for (const next of path) {
      // oxlint-disable-next-line no-await-in-loop -- one move after the other
      await moveDatabase(db, row, [from], next, { reason }, clock.now())
      from = next
    }
    await act(db, serverItself(organizationId), {
      action: `database.${to}`,
      class: 'update',
      ...(['degraded', 'unreachable'].includes(to) && { outcome: 'failure' as const }),
      target: databaseTarget(row),
      diff: { status: { from: row.status, to }, ...(reason !== null && { reason }) },
      event: { type: 'DATABASES_UPDATE', data: { databaseId: id } },
    })
    return true
  }
}

/** The status that a database has after a look, with the cause. */
export function statusAfter(
  before: DatabaseStatus,
  { cluster, measured, problem = 'Its server does not answer.' }: Look,
): { status: DatabaseStatus; reason: string | null } {
  if (cluster === undefined) return { status: 'unreachable', reason: problem }
  const { status, reason } = cluster.state
  switch (status) {
    case 'available':
      return measured === undefined ? { status: 'unreachable', reason: problem } : { status, reason }
    // It is made by a run or by somebody else; for a database that was there already it is trouble.
    case 'provisioning':
      return { status: before === 'connecting' || before === 'resuming' ? before : 'degraded', reason }
    case 'deleting':
      return { status: 'degraded', reason }
    default:
      return { status, reason }
  }
}

const never: readonly DatabaseStatus[] = ['pending', 'provisioning', 'error', 'deleting', 'deleted']

/** The shortest way from one status to another by legal moves; a Cluster may be changed by anybody at any time. */
export function pathOf(from: DatabaseStatus, to: DatabaseStatus): DatabaseStatus[] | undefined {
  const ways: DatabaseStatus[][] = databaseMoves[from].map((next) => [next])
  const seen = new Set<DatabaseStatus>([from])
  for (const way of ways) {
    const last = way.at(-1)
    if (last === undefined || seen.has(last) || never.includes(last)) continue
    if (last === to) return way
    seen.add(last)
    ways.push(...databaseMoves[last].map((next) => [...way, next]))
  }
  return undefined
}

/** A run may have read the Cluster since a look did. */
const newer = (before: CnpgObserved | null, found: CnpgObserved | undefined): CnpgObserved | null =>
  found === undefined || (before !== null && before.at > found.at) ? before : found

function isOther(before: CnpgObserved | null, now: CnpgObserved | null): boolean {
  const shown = (observed: CnpgObserved | null) => JSON.stringify(observed && { ...observed, at: '' })
  return shown(before) !== shown(now)
}

const isOtherServer = (row: DatabaseRow, { version, notes, figures }: Measured) =>
  row.version !== version || row.notes.join() !== notes.join() || isOtherHealth(row, figures)
