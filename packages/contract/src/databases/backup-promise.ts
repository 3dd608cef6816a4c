import { backupLimits } from './backup-rules.ts'
import { clusterArchiveSeconds } from './cluster-creation.ts'

/** What is decided of the backups of a database. */
export interface PromisedPolicy {
  schedule: string | null
  retentionDays: number
  targetId: string | null
  pitr: boolean
  drillSchedule: string | null
  recoveryTimeMinutes: number | null
}

export interface BackupPromise {
  /** What can be promised, as one sentence. */
  lead: string
  /** What it does not say, a sentence each. */
  limits: string[]
}

/** Where its server runs, and how long what is written there may be outside its archive, in s; null: not known. */
interface PromisedPlace {
  name: string
  archiveSeconds: number | null
}

const machine: PromisedPlace = {
  name: 'this machine',
  archiveSeconds: backupLimits.archiveSeconds + backupLimits.roundSeconds,
}

/** A Cluster of CloudNativePG with these parameters. */
export const promisedCluster = (parameters: Readonly<Record<string, string>>): PromisedPlace => ({
  name: 'the cluster',
  archiveSeconds: 'archive_timeout' in parameters ? null : clusterArchiveSeconds,
})

/** What can be promised of a database on a cluster that has no place for backups. */
export const promiseWithoutBackups: BackupPromise = {
  lead: 'Nothing. No backups are made.',
  limits: ['The loss of the cluster, or a wrong statement, takes its rows with it.'],
}

/** What a policy lets its owner promise, and what it leaves open. Of the time to be back only a drill knows. */
export function backupPromise(policy: PromisedPolicy, place = machine): BackupPromise {
  const { schedule, retentionDays, targetId, pitr, drillSchedule, recoveryTimeMinutes } = policy
  if (!Number.isInteger(retentionDays) || retentionDays < 1)
    return { lead: 'Nothing yet. Enter how many days backups are kept.', limits: [] }
  if (schedule === null) {
    return {
      lead: 'Nothing. Backups are made only on request.',
      limits: [`Until then the loss of ${place.name}, or a wrong statement, takes its rows with it.`],
    }
  }
  const days = retentionDays === 1 ? 'day' : `${retentionDays} days`
  const what = pitr ? `Any second of the last ${days}` : `Each backup of the last ${days}`
  const within = recoveryTimeMinutes === null ? '' : ` within ${recoveryTimeMinutes} min`
  const { archiveSeconds: seconds } = place
  const lost = pitr
    ? `what was written ${seconds === null ? 'within its archive_timeout' : `in the last ${seconds} s`} may be`
    : 'what was written since the last backup is'
  const proof = recoveryTimeMinutes === null ? 'How long a restore takes' : 'Whether that time is kept'
  return {
    lead: `${what} comes back${within}.`,
    limits: [
      targetId === null
        ? 'If this machine is lost, so are the backups on it: choose another place.'
        : `If ${place.name} is lost, ${lost} missing.`,
      drillSchedule === null
        ? `${proof} is not known: nothing proves it.`
        : `${proof} is measured by its drills.`,
    ],
  }
}
