import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { timestamp } from '../base/schema.ts'

const check = z
  .object({
    /** Such as `disk`: stays the same from version to version. */
    id: z.string(),
    title: z.string(),
    /** `unknown`: it could not be checked, which is not `ok`. */
    status: z.enum(['ok', 'warning', 'failed', 'unknown']),
    /** What was found, as a sentence. */
    detail: z.string(),
    /** What to do; null where nothing is to be done. */
    action: z.string().nullable(),
  })
  .meta({ id: 'InstanceCheck' })
export type InstanceCheck = z.infer<typeof check>

const limit = z
  .object({
    id: z.enum(['connections', 'disk', 'runs']),
    title: z.string(),
    unit: z.enum(['count', 'bytes']),
    now: z.number(),
    of: z.number(),
    /** Measured growth in 30 days; null where there is not enough history. */
    growthPerMonth: z.number().nullable(),
    /** Days until it is full at that growth; null where it does not grow, or there is not enough history. */
    daysLeft: z.number().nullable(),
    /** Days of history that the growth is of. */
    historyDays: z.number(),
    /** What helps when it is full. */
    help: z.string(),
  })
  .meta({ id: 'InstanceLimit' })
export type InstanceLimit = z.infer<typeof limit>

const backup = z
  .object({
    backupId: z.string().nullable(),
    trigger: z.enum(['schedule', 'command']),
    status: z.enum(['running', 'completed', 'failed']),
    place: z.string(),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    storedBytes: z.number().nullable(),
    rowCount: z.number().nullable(),
    rootKeyFingerprint: z.string().nullable(),
    error: z.string().nullable(),
    removedAt: timestamp.nullable(),
    drill: z
      .object({
        outcome: z.enum(['proved', 'failed', 'unchecked']),
        at: timestamp,
        ms: z.number(),
        rows: z.number().nullable(),
        secrets: z.number().nullable(),
        problems: z.array(z.string()),
      })
      .nullable(),
  })
  .meta({ id: 'InstanceBackup' })
export type InstanceBackup = z.infer<typeof backup>

const health = z
  .object({
    checkedAt: timestamp,
    version: z.string(),
    /** When the first of the processes that live was started. */
    runningSince: timestamp.nullable(),
    isHealthy: z.boolean(),
    checks: z.array(check).max(50),
    /** Those that are reached first come first. */
    limits: z.array(limit).max(10),
    counts: z.object({ organizations: z.number(), people: z.number(), sockets: z.number().nullable() }),
    processes: z
      .array(
        z.object({
          name: z.string(),
          role: z.enum(['all', 'worker']),
          startedAt: timestamp,
          maxRuns: z.number(),
        }),
      )
      .max(100),
    database: z.object({
      version: z.string(),
      isEmbedded: z.boolean(),
      sizeBytes: z.number(),
      tables: z.array(z.object({ name: z.string(), sizeBytes: z.number(), rows: z.number() })).max(10),
    }),
    queues: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          waiting: z.number(),
          /** How long the oldest that is due has waited; null while none waits. */
          oldestSeconds: z.number().nullable(),
        }),
      )
      .max(10),
    /** Null where the database does not count statements. */
    statements: z
      .array(z.object({ text: z.string(), calls: z.number(), meanMs: z.number(), share: z.number() }))
      .max(5)
      .nullable(),
    backups: z.object({
      /** Null where none is named. */
      place: z.string().nullable(),
      schedule: z.string().nullable(),
      drillSchedule: z.string().nullable(),
      nextAt: timestamp.nullable(),
      entries: z.array(backup).max(100),
    }),
  })
  .meta({ id: 'InstanceHealth' })
export type InstanceHealth = z.infer<typeof health>

export const instanceHealthEndpoints = {
  'instance.health': endpoint({
    method: 'GET',
    path: '/api/instance/health',
    summary: 'How this server is: what is checked with what to do, limits, queues, statements and backups',
    access: 'user',
    response: health,
    errors: ['forbidden'],
  }),
} as const
