import type { DatabaseBackup } from '@bey/contract'
import { databaseCan, deniedReason } from '@bey/contract'
import { useRole } from '../../../data/session.ts'
import { useRead } from '../../../data/use-read.ts'
import { useChangeMarks } from '../../../entities/metrics/use-change-marks.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { latestMoment, nearestMoment } from '../backups/window-text.ts'
import { removesAll, restoreMoments, secondBefore } from './restore-moments.ts'
import type { RestoreSource } from './restore-source.ts'
import { untilNow } from './shown-range.ts'

/** How often the archive of changes is looked at, which grows without an event. */
const archiveMs = 15_000
const daySeconds = 86_400

export type RestoreFacts = NonNullable<ReturnType<typeof useRestoreFacts>['facts']>

/** What is known of a database before a restore; undefined until what decides about the moment is there. */
export function useRestoreFacts({ id, live }: RestoreSource) {
  const params = { id }
  const role = useRole()
  const mayRestore = deniedReason(role, 'databases.restore') === undefined
  const mayRead =
    live !== undefined &&
    deniedReason(role, 'databases.query') === undefined &&
    databaseCan.connect(live) === undefined
  const window = useRead('databases.window', { params }, { refreshMs: archiveMs })
  const backups = useRead('databases.backups.list', { params, query: { limit: 100 } })
  const restores = useRead('databases.restores.list', { params, query: { limit: 50 } })
  const policy = useRead('databases.backupPolicy.get', { params })
  const statements = useRead('databases.moments', { params }, { isEnabled: mayRestore })
  const relations = useRead('databases.relations', { params }, { isEnabled: mayRead, isOnDemand: true })
  const marks = useChangeMarks({ rangeSeconds: daySeconds })
  const failure =
    failureOf('Failed to fetch what can be restored', window) ??
    failureOf('Failed to fetch the backups', backups) ??
    failureOf('Failed to fetch what happened', statements)
  const isReady = statements.data !== undefined || !mayRestore
  if (window.data === undefined || backups.data === undefined || !isReady)
    return { facts: undefined, failure }
  // As of the last look: figures that moved each second would be read by nobody.
  const nowMs = Math.max(window.dataUpdatedAt, statements.dataUpdatedAt)
  const reach = untilNow(window.data, live?.status === 'available', nowMs)
  const happened = statements.data?.moments ?? []
  const all = backups.data.backups
  const removal = happened.find(removesAll)
  const before = removal && secondBefore(Date.parse(removal.at))
  const facts = {
    nowMs,
    window: reach,
    backups: all,
    restores: restores.data?.restores ?? [],
    policy: { checks: policy.data?.checks ?? [] },
    statements: happened,
    relations: relations.data?.relations,
    marks,
    moments: restoreMoments({ window: reach, backups: all, statements: happened, marks }),
    /** The second before data were removed last; undefined where that is not known, or cannot be restored. */
    proposedMs: before !== undefined && nearestMoment(reach, before) === before ? before : undefined,
    latestMs: latestMoment(reach),
    baseOf: (atMs: number | undefined) => (atMs === undefined ? undefined : baseBackup(all, atMs)),
  }
  return { facts, failure }
}

/** The newest backup whose copy had ended by then. */
function baseBackup(backups: readonly DatabaseBackup[], atMs: number): DatabaseBackup | undefined {
  return backups
    .filter(
      ({ status, consistentAt }) =>
        (status === 'completed' || status === 'verified' || status === 'verifying') &&
        consistentAt !== null &&
        Date.parse(consistentAt) <= atMs,
    )
    .toSorted((a, b) => (b.consistentAt ?? '').localeCompare(a.consistentAt ?? ''))[0]
}
