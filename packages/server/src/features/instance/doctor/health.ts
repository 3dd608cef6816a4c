import type { InstanceBackup, InstanceHealth } from '@bey/contract'

import type { InstanceBackupRow } from '../backups/backup-rows.ts'
import { checkInstance, isHealthy } from './checks.ts'
import type { InstanceFacts, Query } from './facts.ts'
import { limitsOf } from './limits.ts'
import { readDays } from './samples.ts'

type Options = {
  query: Query
  facts: InstanceFacts
  /** The newest first. */
  backups: readonly InstanceBackupRow[]
  version: string
  /** Of this process; null where none asks. */
  sockets: number | null
  nextTime(schedule: string, after: Date): Date | null
}

/** How an instance is, for the endpoint, the page and the command alike. */
export async function instanceHealth({
  query,
  facts,
  backups,
  version,
  sockets,
  nextTime,
}: Options): Promise<InstanceHealth> {
  const { checkedAt, backups: settings, queues, processes } = facts
  const checks = checkInstance(facts, {
    rows: backups,
    lastDueAt: lastDue(settings.schedule, checkedAt, nextTime),
  })
  const [first] = processes
  return {
    checkedAt: checkedAt.toISOString(),
    version,
    runningSince: first?.startedAt.toISOString() ?? null,
    isHealthy: isHealthy(checks),
    checks,
    limits: limitsOf(facts, await readDays(query, checkedAt)),
    counts: { ...facts.counts, sockets },
    processes: processes.map((each) => ({ ...each, startedAt: each.startedAt.toISOString() })),
    database: {
      version: facts.database.version,
      isEmbedded: facts.database.isEmbedded,
      sizeBytes: facts.database.sizeBytes,
      tables: facts.database.tables,
    },
    queues: [
      { id: 'runs', title: 'Runs', waiting: queues.runs, oldestSeconds: queues.runs_oldest },
      {
        id: 'webhooks',
        title: 'Webhook deliveries',
        waiting: queues.deliveries,
        oldestSeconds: queues.deliveries_oldest,
      },
      { id: 'mail', title: 'Mail', waiting: queues.mails, oldestSeconds: queues.mails_oldest },
    ],
    statements: facts.statements,
    backups: {
      ...settings,
      nextAt:
        settings.schedule === null ? null : (nextTime(settings.schedule, checkedAt)?.toISOString() ?? null),
      entries: backups.map(presentBackup),
    },
  }
}

function presentBackup(row: InstanceBackupRow): InstanceBackup {
  const { drillOutcome, drilledAt } = row
  return {
    backupId: row.backupId,
    trigger: row.trigger,
    status: row.status,
    place: row.place,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    storedBytes: row.storedBytes,
    rowCount: row.rowCount,
    rootKeyFingerprint: row.rootKeyFingerprint,
    error: row.error,
    removedAt: row.removedAt?.toISOString() ?? null,
    drill:
      drillOutcome === null || drilledAt === null
        ? null
        : {
            outcome: drillOutcome,
            at: drilledAt.toISOString(),
            ms: row.drillMs ?? 0,
            rows: row.drillRows,
            secrets: row.drillSecrets,
            problems: row.drillProblems ?? [],
          },
  }
}

/** A backup that is due is looked for every 20 s, and takes its time. */
const graceMs = 3_600_000
const backMs = 400 * 24 * 3_600_000

/** When a schedule came last, longer ago than a backup takes to begin; null where it has not. */
function lastDue(schedule: string | null, now: Date, nextTime: Options['nextTime']): Date | null {
  if (schedule === null) return null
  const until = now.getTime() - graceMs
  // Twice as far back each time, until the schedule comes in between.
  for (let ms = graceMs; ms < backMs; ms *= 2) {
    let found = nextTime(schedule, new Date(until - ms))
    if (found === null || found.getTime() > until) continue
    for (;;) {
      const next = nextTime(schedule, found)
      if (next === null || next.getTime() > until) return found
      found = next
    }
  }
  return null
}
