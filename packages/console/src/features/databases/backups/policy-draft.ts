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

const prefix = 'backups.'

/** The fields of a policy that is part of another form, by the path at which the server finds them. */
export const asPart = (problems: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).map(([field, text]) => [`${prefix}${field}`, text]))

/** The errors of that part by field; what is wrong with one check is said of the checks. */
export function errorsOfPart(errors: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length).split('.')[0] ?? '', text]] : [],
    ),
  )
}
