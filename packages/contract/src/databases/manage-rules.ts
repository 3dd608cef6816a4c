import type { DatabaseProviderId } from './statuses.ts'

/** What a user may do with the tables of a database. `write` includes `read`. */
export const roleAccesses = ['none', 'read', 'write'] as const
export type RoleAccess = (typeof roleAccesses)[number]

/** `owner`: of the database. `bey`: Bey works with it. `server`: PostgreSQL's own, or a superuser. */
export const roleKinds = ['owner', 'user', 'group', 'bey', 'server'] as const
export type RoleKind = (typeof roleKinds)[number]

export const manageLimits = {
  roles: 500,
  databases: 200,
  extensions: 300,
  parameters: 600,
  /** What depends on an extension, by name. */
  dependents: 50,
  /** Changed at a time. */
  changes: 50,
  /** Characters of the value of a parameter. */
  value: 1_000,
  /** Bytes of a name in PostgreSQL: it cuts longer ones. */
  nameBytes: 63,
} as const

export const sqlNameRule = `Use 1 to ${manageLimits.nameBytes} bytes without control characters; names that begin with pg_ or bey_ are taken.`

/** A name of a user or a database that PostgreSQL takes in quotes as it is. */
export function isFreeSqlName(name: string): boolean {
  const bytes = new TextEncoder().encode(name).length
  return (
    bytes >= 1 &&
    bytes <= manageLimits.nameBytes &&
    name === name.trim() &&
    // oxlint-disable-next-line no-control-regex -- these are what is refused
    !/[\u0000-\u001f\u007f]/.test(name) &&
    !/^(pg_|bey_|bey-)/i.test(name) &&
    !/^(postgres|public|none|template[01]|current_user|session_user|current_role)$/i.test(name)
  )
}

/** What a user can do in words, from what was counted. */
export function roleAccessText(role: {
  kind: RoleKind
  tables: { total: number; readable: number; writable: number }
}): string {
  if (role.kind === 'owner') return 'Owns the database'
  const { total, readable, writable } = role.tables
  if (total === 0) return 'No table yet'
  if (readable === 0 && writable === 0) return 'No table'
  const of = (count: number) => (count === total ? `all ${total}` : `${count} of ${total}`)
  if (writable === 0) return `Reads ${of(readable)}, changes none`
  return `Reads ${of(readable)}, changes ${of(writable)}`
}

/** Why an extension is not installed by Bey in a server of its own, or undefined. */
export function extensionRefusal(name: string, provider: DatabaseProviderId): string | undefined {
  if (provider !== 'embedded') return undefined
  if (name === 'plpgsql' || name === 'pg_stat_statements') return undefined
  return extensionReasons.find(([pattern]) => pattern.test(name))?.[1]
}

const extensionReasons: readonly (readonly [RegExp, string])[] = [
  [/^(file_fdw|adminpack)$/, 'It reads files of the machine of Bey.'],
  [
    /^(dblink|postgres_fdw)$/,
    'It connects to other servers from the machine of Bey, past its limits for that.',
  ],
  [
    /(^|_)pl(perl|python\d?|tcl|python3)u?$/,
    'It runs programs with the rights of the server, or needs a language that Bey does not bring.',
  ],
  [
    /^(pageinspect|pg_surgery|pg_walinspect|pg_logicalinspect)$/,
    'It reaches the files of the server past the rights of users.',
  ],
  [/^(sslinfo)$/, 'The server has no TLS of its own.'],
]

/** Extensions that Bey itself needs in a server of its own. */
export const neededExtensions: readonly string[] = ['plpgsql', 'pg_stat_statements']
