import type { BackupTrouble, DatabasePlanId, DatabaseTlsMode } from '@bey/contract/databases/rules'
import type { AllowedNetwork, NetworkAccess } from '@bey/contract/databases/allow-list'
import type { DiskQuota } from '@bey/contract/databases/quota-rules'
import type { DatabaseEngine } from '@bey/contract/databases/engines'
import type { DatabaseProviderId, DatabaseStatus } from '@bey/contract/databases/statuses'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { clusters } from './clusters.ts'
import { organizations } from './organizations.ts'
import { secrets } from './secrets.ts'
import { users } from './users.ts'

/** What was measured, with the counters from which the next measure makes rates. */
export type MeasuredDatabase = {
  at: string
  sizeBytes: number
  /** Absent in what was measured by earlier versions. */
  sizeLimitBytes?: number | null
  maxConnections: number
  connections: number
  active: number | null
  idle: number | null
  idleInTransaction: number | null
  waiting: number | null
  startedAt: string
  cacheHit: number | null
  transactionsPerSecond: number | null
  rollbacksPerSecond: number | null
  statementsPerSecond?: number | null
  longestQueryMs: number | null
  /** Absent in what was measured by earlier versions, as the rates are. */
  longestLockWaitMs?: number | null
  longestIdleInTransactionMs?: number | null
  frozenAge?: number | null
  replicationLagMs?: number | null
  diskQuota?: DiskQuota | null
  /** Rates that are drawn only, by the name of their metric. */
  rates?: Record<string, number>
  /** Commands of Redis and Valkey that took longest, as their slow log has them. */
  slowest?: SlowEntry[]
  counters: DatabaseCounters
}

/** One execution, without the values that were given. */
export type SlowEntry = { at: string; durationMs: number; text: string }

/** Counted since the statistics of the server were reset. */
export type DatabaseCounters = {
  commits: number
  rollbacks: number
  hits: number
  reads: number
  /** Of servers that are no PostgreSQL. */
  statements?: number
} & ActivityCounters

/** Null or absent where the server does not say. Bytes, rows and events. */
export type ActivityCounters = {
  deadlocks?: number | null
  tempBytes?: number | null
  rowsRead?: number | null
  rowsWritten?: number | null
  walBytes?: number | null
  checkpoints?: number | null
}

/** What is set and known of the disk quota of a server that Bey runs; instants as text. */
export type StoredQuota = {
  /** Null: what follows from its size. */
  limitBytes: number | null
  allowedUntil: string | null
  /** Since when its server refuses to write by Bey; null where it does not. */
  refusedAt: string | null
  /** The share that the members were last told of. */
  toldLevel: number
}

/** What Bey asks CloudNativePG for; null and empty where the operator chooses. */
export type CnpgWanted = {
  instances: number
  /** Of the volume of each instance, as a quantity of Kubernetes: `10Gi`. */
  storage: string
  storageClass: string | null
  imageName: string | null
  parameters: Record<string, string>
  /** Installed when it is made. */
  extensions?: string[]
  /** Where its backups go; absent: its Cluster names no store. */
  store?: CnpgStore
  /** Of one that is made of backups: what its specification says besides, and the moment that comes back. */
  recovery?: CnpgRecovery
}

/** A bucket for the backups of a Cluster, as its specification names it. */
export type CnpgStore = {
  targetId: string
  /** Of the Secret with its key, and of the ObjectStore of the plugin. */
  objectName: string
  /** `s3://bucket/folder/` */
  destinationPath: string
  /** Null: Amazon S3. */
  endpointUrl: string | null
  retentionDays: number
  /** By what the cluster backs up; null until the run of its creation has looked. */
  method: 'plugin' | 'barmanObjectStore' | null
}

export type CnpgRecovery = {
  bootstrap: Record<string, unknown>
  externalClusters: Record<string, unknown>[]
}

/** What its Cluster said when it was last looked at. */
export type CnpgObserved = {
  at: string
  uid: string
  /** In the words of CloudNativePG; empty while its operator has said nothing. */
  phase: string
  phaseReason: string | null
  /** Whether the phase is one that Bey does not know. */
  isPhaseUnknown: boolean
  instances: number
  readyInstances: number
  primary: string | null
  instanceNames: string[]
  image: string | null
  storage: string | null
  storageClass: string | null
  /** Where its backups go; absent in what was read by earlier versions. */
  backups?: string | null
  parameters: Record<string, string>
}

/** A database whose server is a Cluster of CloudNativePG on a connected cluster. */
export type CnpgDatabase = {
  namespace: string
  /** Of the Cluster. */
  name: string
  /** It existed before Bey managed it; letting go of it leaves it as it is. */
  isAdopted: boolean
  /** What Bey has asked for; null while it has changed nothing of an adopted one. */
  wanted: CnpgWanted | null
  observed: CnpgObserved | null
}

/** Databases of an organization. A deleted one stays as a row with `deleted_at`, and its name is free again. */
export const databases = pgTable(
  'databases',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    engine: text('engine').$type<DatabaseEngine>().notNull().default('postgres'),
    provider: text('provider').$type<DatabaseProviderId>().notNull(),
    plan: text('plan').$type<DatabasePlanId>(),
    status: text('status').$type<DatabaseStatus>().notNull(),
    statusSince: instant('status_since').notNull().defaultNow(),
    /** Why it is in this status, in words. */
    reason: text('reason'),
    version: text('version'),
    /** Where clients connect. */
    host: text('host'),
    port: integer('port'),
    databaseName: text('database_name').notNull(),
    username: text('username').notNull(),
    tls: text('tls').$type<DatabaseTlsMode>().notNull(),
    /** Certificates of the authority that signs the server's certificate. */
    caPem: text('ca_pem'),
    /** The secret that keeps the password, and the version of it that the server has. */
    credentialSecretId: uuid('credential_secret_id').references(() => secrets.id, { onDelete: 'set null' }),
    credentialVersion: integer('credential_version'),
    /** Where Bey runs its server: the data directory of a Bey, and the directory within it. */
    machineId: text('machine_id'),
    dir: text('dir'),
    /** Networks from which a database of Bey's is reached beside its machine. */
    allowList: jsonb('allow_list')
      .$type<AllowedNetwork[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Ranges of the isolated network that it takes part in, which replace the list above; null where there is none. */
    networkAccess: jsonb('network_access').$type<NetworkAccess>(),
    /** The cluster that it runs on, and its Cluster of CloudNativePG there; null for every other one. */
    clusterId: integer('cluster_id').references(() => clusters.id, { onDelete: 'set null' }),
    cnpg: jsonb('cnpg').$type<CnpgDatabase>(),
    notes: jsonb('notes')
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** What is set of its disk quota; null while nothing was. */
    diskQuota: jsonb('disk_quota').$type<StoredQuota>(),
    figures: jsonb('figures').$type<MeasuredDatabase>(),
    /** When and why its server last had to be started again; null while it never had to. */
    restartedAt: instant('restarted_at'),
    restartReason: text('restart_reason'),
    /** What the members were last told of its health: `trouble` or `recovery`; null while nothing. */
    announced: text('announced').$type<'trouble' | 'recovery'>(),
    /** What of its backups needs attention; null where nothing does. */
    backupTrouble: jsonb('backup_trouble').$type<BackupTrouble>(),
    isProtected: boolean('is_protected').notNull().default(false),
    /** When a process next looks at it. */
    checkAt: instant('check_at').notNull().defaultNow(),
    lastRunId: uuid('last_run_id'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
    rowVersion: integer('row_version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('databases_name_key')
      .on(t.organizationId, sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    index('databases_created_at_idx').on(t.organizationId, t.createdAt, t.id),
    index('databases_check_at_idx')
      .on(t.checkAt)
      .where(sql`${t.deletedAt} is null`),
    index('databases_credential_secret_id_idx').on(t.credentialSecretId),
    uniqueIndex('databases_cnpg_key')
      .on(t.organizationId, t.clusterId, sql`(${t.cnpg} ->> 'namespace')`, sql`(${t.cnpg} ->> 'name')`)
      .where(sql`${t.deletedAt} is null and ${t.cnpg} is not null`),
    index('databases_cluster_id_idx').on(t.clusterId),
    index('databases_created_by_idx').on(t.createdBy),
    check('databases_provider_is_known', sql`${t.provider} in ('embedded', 'external', 'cnpg')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
