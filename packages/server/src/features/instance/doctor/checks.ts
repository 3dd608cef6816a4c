import type { InstanceCheck } from '@bey/contract'

import type { InstanceBackupRow } from '../backups/backup-rows.ts'
import type { InstanceFacts } from './facts.ts'

const gib = 1024 ** 3
const dayMs = 24 * 3_600_000

type Found = Omit<InstanceCheck, 'id' | 'title'>
type Check = { id: string; title: string; decide(facts: InstanceFacts, backups: Backups): Found }
type Backups = {
  /** The newest first. */
  rows: readonly InstanceBackupRow[]
  /** When the schedule came last before now; null without a schedule. */
  lastDueAt: Date | null
}

const ok = (detail: string): Found => ({ status: 'ok', detail, action: null })
const warning = (detail: string, action: string): Found => ({ status: 'warning', detail, action })
const failed = (detail: string, action: string): Found => ({ status: 'failed', detail, action })

/** Every check of an instance: the command, the endpoint and the page decide nothing else. */
const checks: readonly Check[] = [
  { id: 'configuration', title: 'Configuration', decide: configuration },
  { id: 'root-key', title: 'Root key', decide: rootKey },
  { id: 'database', title: 'Database', decide: database },
  { id: 'migrations', title: 'Migrations', decide: migrations },
  { id: 'connections', title: 'Connections', decide: connections },
  { id: 'clock', title: 'Clock', decide: clock },
  { id: 'disk', title: 'Disk', decide: disk },
  { id: 'certificate', title: 'Certificate', decide: certificate },
  { id: 'read-only', title: 'Read-only mode', decide: readOnly },
  { id: 'workers', title: 'Workers', decide: workers },
  { id: 'queue', title: 'Queue of runs', decide: queue },
  { id: 'shared-watches', title: 'Shared watches', decide: sharedWatches },
  { id: 'mail', title: 'Mail', decide: mail },
  { id: 'outbound', title: 'Outbound connections', decide: outbound },
  { id: 'backup', title: 'Backup of Bey', decide: backup },
  { id: 'drill', title: 'Proof of the backup', decide: drill },
]

export function checkInstance(facts: InstanceFacts, backups: Backups): InstanceCheck[] {
  return checks.map(({ id, title, decide }) => ({ id, title, ...decide(facts, backups) }))
}

export const isHealthy = (found: readonly InstanceCheck[]) => found.every(({ status }) => status === 'ok')

function configuration({ settings: { host, publicUrl } }: InstanceFacts): Found {
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(host)
  if (isLocal || publicUrl !== undefined) return ok('Every setting makes sense.')
  return warning(
    `Bey listens on ${host} without a base address, so links in mails lead to localhost.`,
    'Set BEY_PUBLIC_URL to the address that browsers use.',
  )
}

function rootKey({ rootKey: { fingerprint, ofDatabase }, keyService }: InstanceFacts): Found {
  const belongs = `The root key ${fingerprint} belongs to this database`
  if (ofDatabase === fingerprint) {
    if (keyService === null) return ok(`${belongs}.`)
    if (keyService.problem !== null) {
      return failed(
        `${belongs}, but a start of Bey would fail now: ${keyService.problem}`,
        'Do that before Bey is restarted.',
      )
    }
    return keyService.plainFile === null
      ? ok(`${belongs}, and the key service opens it.`)
      : warning(
          `${belongs}, and the key service opens it, but it also lies unencrypted in ${keyService.plainFile}.`,
          'Move that file to where you keep backups of keys.',
        )
  }
  if (ofDatabase === null) {
    return failed('The database has not been used with a root key yet.', 'Start Bey once.')
  }
  return failed(
    `The root key ${fingerprint} does not belong to this database, which needs ${ofDatabase}.`,
    `Set BEY_SECRET_KEY to the key ${ofDatabase}, or put its secret.key back.`,
  )
}

function database({ database: { version, major, isEmbedded, sizeBytes } }: InstanceFacts): Found {
  const what = `PostgreSQL ${version}${isEmbedded ? ', embedded' : ''}, ${(sizeBytes / gib).toFixed(2)} GiB.`
  return major >= 15 ? ok(what) : failed(what, 'Bey needs PostgreSQL 15 or newer. Upgrade the server.')
}

function migrations({ migrations: { missing, unknown } }: InstanceFacts): Found {
  if (unknown > 0) {
    return failed(`The database has ${unknown} migrations of a newer Bey.`, 'Update this Bey.')
  }
  if (missing > 0) return warning(`${missing} migrations are not applied.`, 'Start Bey: it applies them.')
  return ok('All migrations are applied.')
}

function connections({ database: { usedConnections: used, maxConnections: max } }: InstanceFacts): Found {
  const what = `${used} of ${max} connections are in use.`
  const action = 'Raise max_connections of PostgreSQL, or run fewer processes.'
  if (used >= max * 0.95) return failed(what, action)
  return used >= max * 0.8 ? warning(what, action) : ok(what)
}

function clock({ clockMs }: InstanceFacts): Found {
  const action = 'Synchronize the clocks of both machines by NTP.'
  const what = `The clock of the database differs by ${(clockMs / 1000).toFixed(1)} s.`
  if (clockMs > 30_000) return failed(what, action)
  return clockMs > 2_000 ? warning(what, action) : ok('The clocks of Bey and the database agree.')
}

function disk({ disk: { freeBytes, totalBytes, path } }: InstanceFacts): Found {
  const percent = Math.floor((freeBytes / totalBytes) * 100)
  const what = `${(freeBytes / gib).toFixed(1)} GiB of ${(totalBytes / gib).toFixed(1)} GiB are free on the disk of ${path} (${percent} %).`
  const action = 'Free space, move BEY_DATA_DIR to a larger disk, or keep backups elsewhere.'
  if (freeBytes < gib / 4) return failed(what, action)
  return freeBytes < 2 * gib || percent < 10 ? warning(what, action) : ok(what)
}

function certificate({ certificateEndsAt, checkedAt }: InstanceFacts): Found {
  if (certificateEndsAt === null) return ok('No certificate has been made yet.')
  const days = Math.floor((certificateEndsAt.getTime() - checkedAt.getTime()) / dayMs)
  if (days < 0)
    return failed('A certificate of the HTTPS listener has ended.', 'Restart Bey: it makes a new one.')
  return days < 7
    ? warning(`A certificate of the HTTPS listener ends in ${days} days.`, 'Restart Bey: it makes a new one.')
    : ok(`The certificates of the HTTPS listener are good for ${days} days.`)
}

function readOnly({ readOnly: state }: InstanceFacts): Found {
  if (state === null) return ok('Changes are accepted.')
  const why = state.reason === '' ? '' : ` The reason given: ${state.reason}`
  return warning(
    `Bey has been read-only since ${state.since.slice(0, 16).replace('T', ' ')} UTC: changes are refused and no step begins.${why}`,
    'End it under Workspace, Instance, Settings when what it is for is over.',
  )
}

function workers({ processes }: InstanceFacts): Found {
  if (processes.length === 0) {
    return failed('No process that executes runs lives.', 'Start Bey, or one with BEY_ROLE=worker.')
  }
  return ok(
    processes.length === 1 ? 'One process executes runs.' : `${processes.length} processes execute runs.`,
  )
}

function queue({ queues: { runs, runs_oldest: oldest }, readOnly: state }: InstanceFacts): Found {
  if (oldest === null) return ok('No run waits to begin.')
  // Not a problem of its own: the check of read-only mode says what to do.
  if (state !== null) return ok(`${runs} runs wait for the end of read-only mode.`)
  const what = `${runs} runs wait to begin, the oldest for ${Math.round(oldest)} s.`
  const action = 'Look for runs that hang under Workflows, or start more workers.'
  if (oldest > 600) return failed(what, action)
  return oldest > 60 ? warning(what, action) : ok(what)
}

function sharedWatches({ peers }: InstanceFacts): Found {
  if (peers.length === 0) return ok('Each process watches clusters for itself.')
  const apart = peers.filter(({ unreachable }) => unreachable.length > 0)
  if (apart.length === 0) {
    return ok(
      peers.length === 1
        ? 'One process may share its watches of clusters, and no other one does.'
        : `${peers.length} processes share their watches of clusters.`,
    )
  }
  const pairs = apart.map(({ address, unreachable }) => `${address} does not reach ${unreachable.join(', ')}`)
  return warning(
    `Clusters are watched more than once: ${pairs.join('; ')}.`,
    'Open these ports between the processes, or correct BEY_PEER_ADDRESS.',
  )
}

function mail({ settings: { hasMail }, queues: { mails, mails_oldest: oldest } }: InstanceFacts): Found {
  if (oldest !== null && oldest > 600) {
    return failed(
      `${mails} mails wait, the oldest for ${Math.round(oldest / 60)} min.`,
      'Send a test mail in the settings of the instance: it tells what the mail server answers.',
    )
  }
  return hasMail
    ? ok('A mail server is set, and no mail waits.')
    : ok('No mail server is set: links to reset passwords are written to mail-outbox.txt.')
}

function outbound({ settings: { outbound: policy } }: InstanceFacts): Found {
  if (policy.kind === 'any') {
    return ok('Every address may be connected to, except link-local ones and those of cloud metadata.')
  }
  return ok(
    policy.kind === 'public'
      ? 'Public addresses alone may be connected to.'
      : `These networks alone may be connected to: ${policy.text}.`,
  )
}

function backup(
  { database: { isEmbedded }, checkedAt, backups: settings }: InstanceFacts,
  { rows, lastDueAt }: Backups,
): Found {
  if (!isEmbedded && rows.length === 0 && settings.schedule === null) {
    return {
      status: 'unknown',
      detail: 'DATABASE_URL names a server that Bey does not run, and whose backups it does not know.',
      action:
        'Set BEY_BACKUP_TO and BEY_BACKUP_SCHEDULE, or back the database up by its own tools, together with the root key.',
    }
  }
  const newest = rows.find(({ status }) => status === 'completed')
  if (newest?.finishedAt == null) {
    return warning(
      'Bey has never been backed up.',
      settings.schedule === null
        ? 'Set BEY_BACKUP_TO and BEY_BACKUP_SCHEDULE, or run bey backup.'
        : 'Run bey backup now, or wait for the schedule.',
    )
  }
  const hours = Math.floor((checkedAt.getTime() - newest.finishedAt.getTime()) / 3_600_000)
  const what = `Bey was last backed up ${hours === 0 ? 'within the last hour' : `${hours} h ago`}.`
  const [latest] = rows
  if (latest?.status === 'failed') {
    return failed(
      `${what} The last attempt failed: ${latest.error ?? 'the reason is not known.'}`,
      'Remove the cause, then run bey backup.',
    )
  }
  if (lastDueAt !== null && newest.startedAt < lastDueAt && latest?.status !== 'running') {
    return failed(
      `${what} One that was due is missing.`,
      'Look into the log of the server, and run bey backup.',
    )
  }
  return ok(what)
}

function drill({ database: { isEmbedded }, backups: settings }: InstanceFacts, { rows }: Backups): Found {
  const drilled = rows.find(({ drillOutcome }) => drillOutcome !== null)
  if (!isEmbedded && drilled === undefined && settings.drillSchedule === null) {
    return {
      status: 'unknown',
      detail: 'Whether the backups of this database can be restored is not known to Bey.',
      action: 'Set BEY_BACKUP_DRILL_SCHEDULE, or restore one elsewhere from time to time.',
    }
  }
  const problems = drilled?.drillProblems?.join(' ') ?? ''
  switch (drilled?.drillOutcome) {
    case 'proved':
      return ok(
        `A backup was restored and compared: ${drilled.drillRows} rows, ${drilled.drillSecrets} values of secrets.`,
      )
    case 'failed':
      return failed(
        `The last backup that was restored is not what was backed up. ${problems}`,
        'Back up again, and see why.',
      )
    case 'unchecked':
      return warning(
        `The last drill could not be carried out: ${problems}`,
        'Remove the cause; the next drill tries again.',
      )
    default:
      return warning(
        'No drill has restored a backup yet.',
        settings.drillSchedule === null
          ? 'Set BEY_BACKUP_DRILL_SCHEDULE.'
          : 'Run bey restore --check to see it now, or wait for the schedule of drills.',
      )
  }
}
