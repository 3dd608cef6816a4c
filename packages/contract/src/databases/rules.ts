import { type DatabaseProviderId, type DatabaseStatus, databaseStatusLabel } from './statuses.ts'
import type { DatabaseEngine } from './engines.ts'
import { type DiskQuota, quotaTrouble } from './quota-rules.ts'
import type { Health } from '../base/health.ts'

const mebibyte = 1024 * 1024

/** What a database on Bey's own machine is set up for. */
export type DatabasePlan = {
  id: DatabasePlanId
  label: string
  /** Counted against the budget of the machine while the server runs. */
  memoryBytes: number
  maxConnections: number
  sharedBuffersBytes: number
}

export const databasePlanIds = ['small', 'medium', 'large'] as const
export type DatabasePlanId = (typeof databasePlanIds)[number]

export const databasePlans: Readonly<Record<DatabasePlanId, DatabasePlan>> = {
  small: {
    id: 'small',
    label: 'Small',
    memoryBytes: 128 * mebibyte,
    maxConnections: 25,
    sharedBuffersBytes: 32 * mebibyte,
  },
  medium: {
    id: 'medium',
    label: 'Medium',
    memoryBytes: 512 * mebibyte,
    maxConnections: 50,
    sharedBuffersBytes: 128 * mebibyte,
  },
  large: {
    id: 'large',
    label: 'Large',
    memoryBytes: 2_048 * mebibyte,
    maxConnections: 100,
    sharedBuffersBytes: 512 * mebibyte,
  },
}

export const databaseLimits = {
  description: 500,
  perOrganization: 200,
  /** Installed together with a new database. */
  newExtensions: 20,
  /** Characters of a connection string and of the certificates of an authority. */
  connection: 2_000,
  caPem: 50_000,
} as const

/** Bounds of the SQL console. */
export const sqlLimits = {
  /** Characters of a statement. */
  statement: 100_000,
  /** Rows of one answer, by default and at most. */
  defaultRows: 500,
  maxRows: 5_000,
  /** Bytes of the values of one answer: what comes after them is left out. */
  maxBytes: 2 * 1024 * 1024,
  /** Characters of one value: the rest is left out. */
  valueChars: 10_000,
  /** How long a statement may take, by default and at most. */
  defaultTimeoutMs: 30_000,
  maxTimeoutMs: 300_000,
  relations: 2_000,
  columns: 20_000,
  /** Columns of a table or of a result, which is PostgreSQL's own limit. */
  rowColumns: 1_664,
  /** Steps of a plan. */
  planNodes: 5_000,
} as const

/** Bounds of saved statements and of what was executed. */
export const queryLimits = {
  name: 80,
  /** Characters of a saved statement, and of one in the history. */
  statement: 20_000,
  historyStatement: 10_000,
  perDatabase: 200,
  listed: 100,
  historyDays: 30,
} as const

/** The oldest PostgreSQL that Bey looks after. */
export const oldestPostgres = 13

/** How a connection to a server is encrypted and checked, in libpq's words. */
export const databaseTlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type DatabaseTlsMode = (typeof databaseTlsModes)[number]

/** The name of the secret that keeps the password of a database. */
export const credentialName = (database: string) => `databases/${database}`

/** A name that is a name in PostgreSQL, in addresses and in secrets alike without quotes. */
export function isValidDatabaseName(text: string): boolean {
  return /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && !isReservedName(text)
}

/** Roles and databases of these names belong to PostgreSQL itself or to Bey: one of them as an owner would be a superuser. */
function isReservedName(text: string): boolean {
  return /^(pg-.*|postgres|template[01]|bey-(reader|monitor|dumper)|public|none)$/.test(text)
}

export const databaseNameRule =
  'Use 1 to 63 lower-case letters, digits and hyphens; begin with a letter, end with a letter or digit; names of PostgreSQL itself, such as postgres, are taken.'

/** What is said of a name that another database has. */
export const databaseNameTaken = (name: string) =>
  `A database named "${name}" exists already. Choose another name.`

/** The name of a new database and of its owner inside the server. */
export const sqlName = (name: string) => name.replaceAll('-', '_')

type Subject = {
  name: string
  provider: DatabaseProviderId
  status: DatabaseStatus
  isProtected: boolean
}

const isUnderWay = (status: DatabaseStatus) =>
  (
    [
      'pending',
      'provisioning',
      'updating',
      'restarting',
      'scaling',
      'failing_over',
      'hibernating',
      'resuming',
      'deleting',
    ] as DatabaseStatus[]
  ).includes(status)

const notOurs = 'Its server is not run by Bey.'
const notOnCluster = 'It does not run on a cluster.'

/** What a database's own state allows; the caller's role is asked apart. Each answers why not, or undefined. */
export const databaseCan = {
  restart({ provider, status }: Subject): string | undefined {
    if (provider === 'external') return notOurs
    return status === 'available' || status === 'degraded' ? undefined : stateRefusal(status, 'restarted')
  },
  hibernate({ provider, status }: Subject): string | undefined {
    if (provider === 'external') return notOurs
    return status === 'available' || status === 'degraded' ? undefined : stateRefusal(status, 'hibernated')
  },
  resume({ provider, status }: Subject): string | undefined {
    if (provider === 'external') return notOurs
    return status === 'hibernated' ? undefined : stateRefusal(status, 'resumed')
  },
  /** Its size, its parameters, and from where it is reached. */
  change({ provider, status }: Subject): string | undefined {
    if (provider !== 'embedded') return notOurs
    return status === 'available' ? undefined : stateRefusal(status, 'changed')
  },
  /** Creation starts again after a failure. */
  create({ provider, status }: Subject): string | undefined {
    if (provider === 'external') return notOurs
    return status === 'error' ? undefined : stateRefusal(status, 'created again')
  },
  /** Instances, volumes and parameters of one on a cluster. */
  changeCluster({ provider, status }: Subject): string | undefined {
    if (provider !== 'cnpg') return notOnCluster
    return status === 'available' || status === 'degraded' ? undefined : stateRefusal(status, 'changed')
  },
  /** Another instance becomes the primary. */
  failOver({ provider, status }: Subject, instances: number): string | undefined {
    if (provider !== 'cnpg') return notOnCluster
    if (instances < 2) return 'It has one instance, so that no other can become the primary. Add one first.'
    return status === 'available' || status === 'degraded' ? undefined : stateRefusal(status, 'switched over')
  },
  delete({ isProtected, status }: Subject): string | undefined {
    if (isProtected) return 'It is protected from deletion. Switch the protection off first.'
    return status === 'deleting' || status === 'deleted' ? stateRefusal(status, 'deleted') : undefined
  },
  /** Whether its server can be expected to answer. */
  connect({ provider, status }: Pick<Subject, 'provider' | 'status'>): string | undefined {
    // While instances of a Cluster change one by one, another one answers.
    const changing: DatabaseStatus[] = ['updating', 'scaling', 'failing_over', 'restarting']
    if (provider === 'cnpg' && changing.includes(status)) return undefined
    if (status === 'available' || status === 'degraded' || status === 'unreachable') return undefined
    if (status === 'hibernated') return 'It is hibernated. Resume it first.'
    if (status === 'connecting') return undefined
    return `It is ${databaseStatusLabel(status)}; it answers once it is available.`
  },
}

function stateRefusal(status: DatabaseStatus, act: string): string {
  if (isUnderWay(status)) return `It is ${databaseStatusLabel(status)}. Wait until that is done.`
  if (status === 'hibernated') return `It is hibernated and cannot be ${act}. Resume it first.`
  if (status === 'error') return `Its last operation failed, so it cannot be ${act}.`
  return `A database that is ${databaseStatusLabel(status)} cannot be ${act}.`
}

/** From when on something of a running server is a reason for attention. */
export const databaseHealthFrom = {
  /** Share of the connections in use. */
  connections: 0.9,
  lockWaitMs: 60_000,
  idleInTransactionMs: 10 * 60_000,
  /** Transactions since the oldest row was frozen: three quarters of what PostgreSQL allows. */
  frozenAge: 1_500_000_000,
  /** Share of the size at which the server refuses writes. */
  size: 0.9,
} as const

/** What is measured of a server and decides its health. */
type HealthFigures = {
  at: string
  connections: number
  maxConnections: number
  sizeBytes?: number
  sizeLimitBytes?: number | null
  waiting?: number | null
  longestLockWaitMs?: number | null
  longestIdleInTransactionMs?: number | null
  frozenAge?: number | null
  diskQuota?: DiskQuota | null
}

/** What of a running server needs attention, the most urgent first; undefined where nothing does. */
function figuresTrouble(figures: HealthFigures): { reason: string; detail: string } | undefined {
  const {
    connections,
    maxConnections,
    waiting,
    sizeBytes = 0,
    sizeLimitBytes,
    longestLockWaitMs,
    longestIdleInTransactionMs,
    frozenAge,
  } = figures
  const from = databaseHealthFrom
  const minutes = (ms: number) => `${Math.floor(ms / 60_000)} min`
  if ((frozenAge ?? 0) >= from.frozenAge) {
    const left = Math.max(0, Math.floor((2_000_000_000 - (frozenAge ?? 0)) / 1_000_000))
    return {
      reason: 'Wraparound',
      detail: `It refuses to write in ${left} million transactions unless it is vacuumed: see its advice.`,
    }
  }
  if (sizeLimitBytes != null && sizeBytes >= from.size * sizeLimitBytes) {
    return {
      reason: 'NearlyFull',
      detail: `${Math.floor((100 * sizeBytes) / sizeLimitBytes)} % of its memory is in use; once all is, it refuses to write.`,
    }
  }
  if (connections >= from.connections * Math.max(1, maxConnections)) {
    return {
      reason: 'TooManyConnections',
      detail: `${connections} of ${maxConnections} connections are in use.`,
    }
  }
  if ((longestLockWaitMs ?? 0) >= from.lockWaitMs) {
    const who = waiting === 1 ? '1 session waits' : `${Math.max(1, waiting ?? 0)} sessions wait`
    return {
      reason: 'Blocked',
      detail: `${who} for a lock, the longest for ${minutes(longestLockWaitMs ?? 0)}.`,
    }
  }
  if ((longestIdleInTransactionMs ?? 0) >= from.idleInTransactionMs) {
    return {
      reason: 'IdleInTransaction',
      detail: `A session has been idle in its transaction for ${minutes(longestIdleInTransactionMs ?? 0)}, and keeps its locks.`,
    }
  }
  return undefined
}

/** What of the backups of a database needs attention until the next one or the next drill passes. */
export type BackupTrouble = {
  reason: 'BackupFailed' | 'DrillFailed' | 'BackupOverdue'
  detail: string
  since: string
}

/** The health of a database, from its status and what was found when its server was last asked. */
export function healthOfDatabase(database: {
  status: DatabaseStatus
  reason: string | null
  statusSince: string
  /** When its server last answered with figures; null while it never did. */
  figures: HealthFigures | null
  backupTrouble?: BackupTrouble | null
  /** Whether the operator of a cluster calls its state by a word that Bey does not know. */
  isPhaseUnknown?: boolean
}): Health {
  const { status, reason, statusSince: since, figures, backupTrouble, isPhaseUnknown = false } = database
  const of = (state: Health['state'], word: string, detail: string): Health => ({
    state,
    reason: word,
    detail,
    since,
    object: null,
  })
  switch (status) {
    case 'available': {
      const quota = figures?.diskQuota == null ? undefined : quotaTrouble(figures.diskQuota)
      if (figures !== null && quota?.state === 'failing') {
        return { ...of('failing', quota.reason, quota.detail), since: figures.at }
      }
      const trouble = figures === null ? undefined : (figuresTrouble(figures) ?? quota)
      if (figures !== null && trouble !== undefined) {
        return { ...of('degraded', trouble.reason, trouble.detail), since: figures.at }
      }
      if (backupTrouble) {
        return { ...of('degraded', backupTrouble.reason, backupTrouble.detail), since: backupTrouble.since }
      }
      return { state: 'healthy', reason: null, detail: null, since, object: null }
    }
    case 'hibernated':
      return { state: 'healthy', reason: 'Hibernated', detail: reason, since, object: null }
    case 'degraded':
      if (isPhaseUnknown) return of('unknown', 'UnknownPhase', reason ?? 'Its state is not known.')
      return of('degraded', 'Restarting', reason ?? 'Its server does not answer at the moment.')
    case 'unreachable':
      return of('failing', 'Unreachable', reason ?? 'Its server does not answer.')
    case 'error':
      return of('failing', 'OperationFailed', reason ?? 'Its last operation failed.')
    case 'deleted':
      return of('unknown', 'Deleted', 'It is deleted.')
    default:
      return of('starting', databaseStatusLabel(status), `It is ${databaseStatusLabel(status)}.`)
  }
}

/** Where a client connects; nothing of it is a secret. */
export type DatabaseEndpoint = {
  engine: DatabaseEngine
  host: string
  port: number
  database: string
  username: string
  tls: DatabaseTlsMode
}
