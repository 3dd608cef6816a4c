import type { DatabaseFigures } from './endpoints.ts'
import { type DatabaseEngine, engineLabel } from './engines.ts'
import type { DatabaseStatus } from './statuses.ts'
import { type PermissionRules, run, see, work } from '../base/permission-rule.ts'
import type { StatusTone } from '../base/entity.ts'
import { entity, joined } from '../base/entity.ts'

export type DatabaseEvents = {
  /** A database was created, changed its state or its settings, or was deleted. */
  DATABASES_UPDATE: { databaseId: string }
  /** What was measured of a database, every 15 s while its server answers. */
  DATABASE_FIGURES_UPDATE: { databaseId: string; figures: DatabaseFigures }
  /** A backup, restore or swap of a database, its policy or its archive changed. */
  DATABASE_BACKUPS_UPDATE: { databaseId: string }
}

/** What webhooks get of a database besides its live events. */
export type DatabaseMessage = {
  databaseId: string
  name: string
  /** Why, in words; null where nothing failed. */
  reason: string | null
  /** The run that did it; null where none did. */
  runId: string | null
}

const messageSample = (reason: string | null): DatabaseMessage => ({
  databaseId: '019a0000-0000-7000-8000-000000000009',
  name: 'orders',
  reason,
  runId: '019a0000-0000-7000-8000-000000000002',
})

const messages = [
  {
    name: 'database.created',
    about: 'A database was created or restored and takes queries, or an existing one was taken in.',
    sample: messageSample(null),
  },
  {
    name: 'database.deleted',
    about: 'A database was deleted with its data, or an external one was let go.',
    sample: messageSample(null),
  },
  {
    name: 'database.failed',
    about: 'A run on a database failed, or its server has not answered for 30 s.',
    sample: messageSample('Creation failed at "Reserve memory": the machine has no memory left.'),
  },
  {
    name: 'backup.failed',
    about: 'A backup of a database failed.',
    sample: messageSample('The disk is full.'),
  },
  {
    name: 'drill.failed',
    about: 'A restore drill failed or could not run: the database was not proven restorable.',
    sample: messageSample('The check "orders are there" answered false.'),
  },
] as const

export type DatabaseMessageType = (typeof messages)[number]['name']

const line = 'Create, change and delete databases'

export const databasePermissions = {
  'databases.read': { role: 'VIEWER', ...see('see databases') },
  'databases.create': { role: 'MEMBER', ...work(line, 'create databases') },
  'databases.update': { role: 'MEMBER', ...work(line, 'change databases') },
  'databases.operate': { role: 'MEMBER', ...work(line, 'restart, hibernate and resume databases') },
  'databases.query': { role: 'MEMBER', ...work('Read the data of databases', 'read the data of databases') },
  'databases.execute': {
    role: 'ADMIN',
    ...run('Change the data of databases by SQL', 'change the data of databases by SQL'),
  },
  'databases.sessions': {
    role: 'MEMBER',
    ...work('Read the data of databases', 'see what sessions of databases do'),
  },
  'databases.endSessions': {
    role: 'ADMIN',
    ...run('Change the data of databases by SQL', 'end sessions of databases'),
  },
  'databases.break': {
    role: 'ADMIN',
    ...run('Change the data of databases by SQL', 'break databases on purpose'),
  },
  'databases.manage': {
    role: 'ADMIN',
    ...run('Change the data of databases by SQL', 'manage users, extensions and settings of databases'),
  },
  'databases.backup': {
    role: 'MEMBER',
    ...work(line, 'back databases up and change when that is done'),
  },
  'databases.backupTargets': {
    role: 'ADMIN',
    ...run('Choose where backups are kept', 'change where backups are kept'),
  },
  'databases.restore': { role: 'MEMBER', ...work(line, 'restore databases') },
  'databases.delete': { role: 'MEMBER', ...work(line, 'delete databases') },
} as const satisfies PermissionRules

const tones = {
  pending: 'quiet',
  provisioning: 'busy',
  available: 'ok',
  updating: 'busy',
  restarting: 'busy',
  scaling: 'busy',
  failing_over: 'busy',
  degraded: 'warn',
  hibernating: 'busy',
  hibernated: 'quiet',
  resuming: 'busy',
  error: 'danger',
  connecting: 'busy',
  unreachable: 'danger',
  deleting: 'busy',
  deleted: 'quiet',
} as const satisfies Record<DatabaseStatus, StatusTone>

export const databaseEntity = entity({
  idKind: 'uuid',
  singular: 'database',
  plural: 'databases',
  icon: 'database',
  paths: {
    list: '/databases',
    detail: '/databases/{id}',
    create: '/databases/create',
  },
  readPermission: 'databases.read',
  statuses: tones,
  label: (row: { name: string }) => row.name,
  subtitle: (row: {
    engine: DatabaseEngine
    version: string | null
    host: string | null
    description: string
  }) => joined([[engineLabel(row.engine), row.version].filter(Boolean).join(' '), row.host, row.description]),
  events: {
    DATABASES_UPDATE: {
      audience: 'organization',
      changedId: 'databaseId',
      webhook: {
        name: 'database.updated',
        about: 'A database was created, changed its state or its settings, or was deleted.',
        sample: {
          databaseId: '019a0000-0000-7000-8000-000000000009',
        } satisfies DatabaseEvents['DATABASES_UPDATE'],
      },
    },
    DATABASE_FIGURES_UPDATE: { audience: 'organization' },
    DATABASE_BACKUPS_UPDATE: {
      audience: 'organization',
      webhook: {
        name: 'database.backups_updated',
        about: 'A backup, restore or swap of a database, or the policy of its backups, changed.',
        sample: {
          databaseId: '019a0000-0000-7000-8000-000000000009',
        } satisfies DatabaseEvents['DATABASE_BACKUPS_UPDATE'],
      },
    },
  },
  subscriptions: {},
  messages,
  palette: {
    group: 'Databases',
    category: 'Database',
    key: 'd',
    suggest: { failing: { priority: 8, count: 2 } },
  },
})
