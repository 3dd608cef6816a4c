import { Cron } from 'croner'

import { ConfigError } from './platform/errors.ts'

/** How backups of the instance itself are made. */
export type InstanceBackupConfig = {
  /** A directory or `s3://bucket/prefix`; undefined: a command has to name it, and none is scheduled. */
  to: string | undefined
  /** Five fields as in crontab, in UTC; undefined: none is scheduled. */
  schedule: string | undefined
  /** How many of them are kept, at least. */
  keep: number
  /** When the newest is restored and compared; undefined: never by itself. */
  drillSchedule: string | undefined
  /** 32 bytes that encrypt the parts; undefined: the root key does. */
  key: Buffer | undefined
  s3: {
    endpoint: string | null
    region: string
    accessKeyId: string | undefined
    secretAccessKey: string | undefined
  }
}

type Env = Readonly<Record<string, string | undefined>>
type Readers = {
  text(env: Env, name: string): string | undefined
  integer(env: Env, name: string, fallback: number, min: number, max: number): number
  key(env: Env, name: string): Buffer | undefined
}

/** Reads `BEY_BACKUP_TO` and its companions. Throws ConfigError at the first that makes no sense. */
export function readInstanceBackup(env: Env, read: Readers): InstanceBackupConfig {
  const text = (name: string) => read.text(env, name)
  const to = text('BEY_BACKUP_TO')
  const schedule = cron('BEY_BACKUP_SCHEDULE')
  const drillSchedule = cron('BEY_BACKUP_DRILL_SCHEDULE')
  const withoutPlace = [
    schedule !== undefined && 'BEY_BACKUP_SCHEDULE',
    drillSchedule !== undefined && 'BEY_BACKUP_DRILL_SCHEDULE',
  ].find((name) => name !== false)
  if (to === undefined && withoutPlace !== undefined) {
    throw new ConfigError(
      `${withoutPlace} is set without BEY_BACKUP_TO. Set BEY_BACKUP_TO to a directory or s3://bucket/prefix.`,
    )
  }
  if (to !== undefined && !to.startsWith('/') && !/^s3:\/\/[^/]/.test(to)) {
    throw new ConfigError(
      `BEY_BACKUP_TO is "${to}". Set BEY_BACKUP_TO to an absolute directory or to s3://bucket/prefix.`,
    )
  }
  const endpoint = text('BEY_BACKUP_S3_ENDPOINT') ?? null
  if (endpoint !== null && !/^https?:\/\/[^/]+\/?$/.test(endpoint)) {
    throw new ConfigError(
      'BEY_BACKUP_S3_ENDPOINT is not an address. Set BEY_BACKUP_S3_ENDPOINT to http(s)://host[:port], or unset it for Amazon S3.',
    )
  }
  return {
    to,
    schedule,
    drillSchedule,
    keep: read.integer(env, 'BEY_BACKUP_KEEP', 14, 1, 1_000),
    key: read.key(env, 'BEY_BACKUP_KEY'),
    s3: {
      endpoint,
      region: text('BEY_BACKUP_S3_REGION') ?? 'us-east-1',
      accessKeyId: text('BEY_BACKUP_S3_ACCESS_KEY_ID'),
      secretAccessKey: text('BEY_BACKUP_S3_SECRET_ACCESS_KEY'),
    },
  }

  function cron(name: string): string | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    try {
      if (nextBackupTime(value, new Date()) !== null) return value
    } catch {
      // Said below, for what never comes as well.
    }
    throw new ConfigError(
      `${name} is "${value}". Set ${name} to five fields as in crontab, in UTC, for example 10 2 * * *.`,
    )
  }
}

/** When a schedule in UTC comes next after an instant; null: never. */
export function nextBackupTime(schedule: string, after: Date): Date | null {
  return new Cron(schedule, { mode: '5-part', timezone: 'UTC', paused: true }).nextRun(after)
}
