import { backupLimits, type DatabaseBackupPolicy } from '@bey/contract'

/** A backup policy while it is written: figures as they are typed. */
export interface PolicyDraft extends Pick<
  DatabaseBackupPolicy,
  'schedule' | 'drillSchedule' | 'targetId' | 'pitr' | 'checks'
> {
  days: string
  minutes: string
}

/** What a new database begins with: backed up and proven each night, a week kept. */
export const newPolicy: PolicyDraft = {
  schedule: '0 2 * * *',
  drillSchedule: '0 3 * * *',
  targetId: null,
  pitr: true,
  checks: [],
  days: String(backupLimits.defaultRetentionDays),
  minutes: '',
}

/** What is wrong with a policy, by field. */
export function policyProblems({ days, minutes, checks }: PolicyDraft): Record<string, string> {
  const { retentionDays: mostDays, recoveryTimeMinutes: mostMinutes } = backupLimits
  return {
    ...(isWholeUpTo(days, mostDays) ? {} : { retentionDays: `Enter 1 to ${mostDays} days.` }),
    ...(minutes.trim() === '' || isWholeUpTo(minutes, mostMinutes)
      ? {}
      : { recoveryTimeMinutes: `Enter 1 to ${mostMinutes} minutes, or nothing.` }),
    ...(checks.some(({ name, sql }) => name.trim() === '' || sql.trim() === '')
      ? { checks: 'Give each check a name and a statement, or remove it.' }
      : {}),
  }
}

const isWholeUpTo = (text: string, most: number) =>
  Number.isInteger(Number(text)) && Number(text) >= 1 && Number(text) <= most

export function policyBody({ days, minutes, ...policy }: PolicyDraft) {
  const { schedule, drillSchedule, targetId, pitr, checks } = policy
  return {
    schedule,
    drillSchedule,
    targetId,
    pitr,
    checks,
    retentionDays: Number(days),
    recoveryTimeMinutes: minutes.trim() === '' ? null : Number(minutes),
  }
}
