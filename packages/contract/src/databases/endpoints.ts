import { z } from 'zod'
import { allowListLimits } from './allow-list.ts'
import { databaseCluster } from './cluster.ts'
import { createDatabase } from './creation.ts'
import { databaseConnection, databaseTest } from './connection.ts'
import { manageLimits } from './manage-rules.ts'
import { databaseLimits, databasePlanIds, databaseTlsModes } from './rules.ts'
import { databaseEngines } from './engines.ts'
import { databaseProviders, databaseStatuses } from './statuses.ts'
import { backupLimits, drillProofs } from './backup-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { healthStates } from '../base/health.ts'
import { health } from '../base/health-schema.ts'
import { actor, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)

/** What was measured of a database when its server last answered. Rates are of the time since the measure before. */
export const databaseFigures = z
  .object({
    at: timestamp,
    /** On disk; of Redis and Valkey in memory, of the whole server. */
    sizeBytes: z.number(),
    /** What its size may reach before writes are refused or keys evicted; null where the server has no such limit. */
    sizeLimitBytes: z.number().nullable(),
    maxConnections: count,
    /** Of all databases of the server, for they share its limit. */
    connections: count,
    /** By state; null where the server does not say. */
    active: count.nullable(),
    idle: count.nullable(),
    idleInTransaction: count.nullable(),
    /** Waiting for a lock; of Redis and Valkey, in a command that blocks. */
    waiting: count.nullable(),
    /** When the server was started. */
    startedAt: timestamp,
    /** Share of reads that memory answered, 0 to 1: of blocks, or of keys; null where nothing was read. */
    cacheHit: z.number().min(0).max(1).nullable(),
    /** Of PostgreSQL. */
    transactionsPerSecond: z.number().min(0).nullable(),
    rollbacksPerSecond: z.number().min(0).nullable(),
    /** Statements of MySQL and MariaDB, commands of Redis and Valkey. */
    statementsPerSecond: z.number().min(0).nullable(),
    /** How long the longest statement of others has been running, in ms; null while none runs. */
    longestQueryMs: z.number().min(0).nullable(),
    /** How long a session has waited for a lock; null while none does. */
    longestLockWaitMs: z.number().min(0).nullable(),
    /** How long a session has been idle in its transaction; null while none is. */
    longestIdleInTransactionMs: z.number().min(0).nullable(),
    /** Transactions since the oldest row was frozen; at 2 billion PostgreSQL refuses to write. */
    frozenAge: z.number().min(0).nullable(),
    /** Of a server that Bey runs; null where it sets no quota. */
    diskQuota: z
      .object({
        usedBytes: z.number(),
        limitBytes: z.number(),
        isOwn: z.boolean(),
        isRefusing: z.boolean(),
        allowedUntil: timestamp.nullable(),
        filledUntil: timestamp.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'DatabaseFigures' })
export type DatabaseFigures = z.infer<typeof databaseFigures>

export const database = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    engine: z.enum(databaseEngines),
    provider: z.enum(databaseProviders),
    /** The version of its server, such as `17.2`; null until it has answered once. */
    version: z.string().nullable(),
    /** What it is set up for; null where somebody else runs its server. */
    plan: z.enum(databasePlanIds).nullable(),
    status: z.enum(databaseStatuses),
    statusSince: timestamp,
    /** Why it is in this status, where that says more: the cause of a failure, in words. */
    reason: z.string().nullable(),
    health,
    /** Where clients connect; null until that is decided. */
    endpoint: z
      .object({
        engine: z.enum(databaseEngines),
        host: z.string(),
        port: z.number().int(),
        database: z.string(),
        username: z.string(),
        tls: z.enum(databaseTlsModes),
      })
      .nullable(),
    /** Of one on a connected cluster; null for every other one. */
    cluster: databaseCluster.nullable(),
    /** The secret that keeps its password; null where it has none. */
    credential: z.object({ id: uuid, name: z.string() }).nullable(),
    /** Networks from which one on the machine of Bey is reached beside that machine itself. */
    allowList: z.array(z.object({ cidr: z.string(), about: z.string() })).max(allowListLimits.entries),
    /** The isolated network whose ranges replace its own list; null where it takes part in none. */
    networkAccess: z
      .object({ networkId: uuid, network: z.string(), cidrs: z.array(z.string()).max(2) })
      .nullable(),
    /** What Bey may not do there or found to be special, a sentence each. */
    notes: z.array(z.string()).max(20),
    figures: databaseFigures.nullable(),
    /** When and why its server last had to be started again; null while it never had to. */
    lastRestart: z.object({ at: timestamp, reason: z.string() }).nullable(),
    /** The database whose backup it was made of, and the moment that came back; null where it was made empty. */
    restoredFrom: z.object({ id: uuid, name: z.string(), at: timestamp }).nullable(),
    /** Its last restore drills that ended, the newest last. */
    drills: z
      .array(z.object({ id: uuid, at: timestamp, proof: z.enum(drillProofs) }))
      .max(backupLimits.shownDrills),
    /** It cannot be deleted until this is switched off. */
    isProtected: z.boolean(),
    /** The run that last worked on it; null where none did. */
    lastRun: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Database' })
export type Database = z.infer<typeof database>

const description = z.string().trim().max(databaseLimits.description)
const params = z.object({ id: uuid })
const path = '/api/databases'

/** How long the last creations took from the request until the server answered; null where none is known. */
const creationTime = z.object({ medianMs: count, basedOn: z.number().int().positive() }).nullable()

/** What the machine gives to databases, and what is taken. */
const databasePlaces = z.object({
  /** Of the last 20 creations of the organization in each place. */
  readyIn: z.object({ embedded: creationTime, cnpg: creationTime }),
  embedded: z.object({
    /** The version of PostgreSQL that Bey brings. */
    version: z.string(),
    machineBytes: count,
    /** Memory that sandboxes and databases of this machine may take together. */
    budgetBytes: count,
    usedBytes: count,
    freeDiskBytes: count,
    /** What can be installed in a new one, beside what every one has. */
    extensions: z.array(z.object({ name: z.string(), about: z.string() })).max(manageLimits.extensions),
    /**
     * The name by which other machines reach those that admit them, and the certificates in PEM of the authority that proves
     * it to them; null where there is no TLS.
     */
    clientAccess: z.object({ host: z.string(), authorities: z.string() }).nullable(),
    plans: z
      .array(
        z.object({
          id: z.enum(databasePlanIds),
          memoryBytes: count,
          maxConnections: count,
          /** Why no database of this plan fits, with the way out; null when one does. */
          refusal: z.string().nullable(),
        }),
      )
      .max(10),
  }),
})

/** The run that an act on a database started. */
export const startedRun = z.object({
  databaseId: uuid,
  workflowId: uuid,
  runId: uuid,
  status: z.string(),
  message: z.string(),
})

export function databaseOperation<const V extends string>(verb: V, summary: string) {
  return endpoint({
    method: 'POST',
    path: `${path}/{id}/${verb}` as const,
    summary,
    access: 'databases.operate',
    params,
    response: startedRun,
    status: 202,
    errors: ['not_found', 'conflict', 'limit_reached'],
    operation: { read: 'workflows.run' },
  })
}

export const databaseEndpoints = {
  'databases.list': endpoint({
    method: 'GET',
    path,
    summary: 'Databases of the organization; deleted ones only when asked for by status',
    access: 'databases.read',
    query: pageQuery.extend({
      /** Part of the name. */
      search: searchText,
      provider: z.enum(databaseProviders).optional(),
      status: z.enum(databaseStatuses).optional(),
      health: z.enum(healthStates).optional(),
      sort: z.enum(['name', 'health', 'createdAt']).default('health'),
    }),
    response: paged('databases', database).extend({
      /** Of the whole list, whatever is filtered. */
      summary: z.object({
        total: count,
        unreachable: count,
        /** The earliest moment since when one of them cannot be reached. */
        unreachableSince: timestamp.nullable(),
        attention: count,
        /** Those of which a backup is kept here or a drill was made, and of how many of them the last drill passed. */
        backedUp: count,
        proven: count,
      }),
    }),
  }),
  'databases.places': endpoint({
    method: 'GET',
    path: `${path}/places`,
    summary: 'Where databases can be created, with plans and what the machine has left',
    access: 'databases.read',
    response: databasePlaces,
  }),
  'databases.get': endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One database',
    access: 'databases.read',
    params,
    response: database,
    errors: ['not_found'],
  }),
  'databases.create': endpoint({
    method: 'POST',
    path,
    summary: 'Create a database on the machine of Bey, or take in one that exists',
    access: 'databases.create',
    body: createDatabase,
    response: database,
    status: 201,
    errors: ['name_taken', 'limit_reached'],
    operation: { read: 'databases.get' },
  }),
  'databases.test': endpoint({
    method: 'POST',
    path: `${path}/test`,
    summary: 'Try a connection to a server; nothing is stored',
    access: 'databases.create',
    body: z.strictObject({ connection: databaseConnection }),
    response: databaseTest,
    withoutIdempotencyKey: 'It stores nothing.',
  }),
  'databases.update': endpoint({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change the description of a database or its protection from deletion',
    access: 'databases.update',
    params,
    body: z.strictObject({ description: description.optional(), isProtected: z.boolean().optional() }),
    response: database,
    replyOf: 'databases.get',
    errors: ['not_found'],
  }),
  'databases.reconnect': endpoint({
    method: 'PUT',
    path: `${path}/{id}/connection`,
    summary: 'Reach an external database in another way',
    access: 'databases.update',
    params,
    body: z.strictObject({ connection: databaseConnection }),
    response: database,
    errors: ['not_found', 'conflict'],
  }),
  'databases.provision': databaseOperation('provision', 'Create a database again whose creation failed'),
  'databases.restart': databaseOperation('restart', 'Stop the server of a database and start it again'),
  'databases.hibernate': databaseOperation('hibernate', 'Stop the server of a database and keep its data'),
  'databases.resume': databaseOperation('resume', 'Start the server of a hibernated database'),
  'databases.references': endpoint({
    method: 'GET',
    path: `${path}/{id}/references`,
    summary: 'What ends or is lost with a database',
    access: 'databases.read',
    params,
    response: z.object({
      connections: count.nullable(),
      sizeBytes: z.number().nullable(),
      secrets: z.array(z.object({ id: uuid, name: z.string() })).max(20),
      runs: z
        .array(z.object({ workflowId: uuid, runId: uuid, name: z.string(), status: z.string() }))
        .max(20),
      /** Whether its deletion can begin with a backup, and whether it does unless told otherwise. */
      finalBackup: z.object({
        /** Why it cannot be backed up now, as a sentence. */
        refusal: z.string().nullable(),
        isDefault: z.boolean(),
        /** The bucket that keeps it; null: the machine of Bey. */
        target: z.string().nullable(),
        retentionDays: z.number().int(),
      }),
    }),
    errors: ['not_found'],
  }),
  'databases.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Start the deletion of a database with its data, or let go of an external one',
    access: 'databases.delete',
    params,
    query: z.object({
      /** Backs it up first, and deletes it only then; unless given, where its policy names a bucket. */
      finalBackup: z.enum(['true', 'false']).optional(),
    }),
    response: startedRun,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
} as const
