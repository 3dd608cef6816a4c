import type { DatabaseProviderId } from './statuses.ts'

/** How PostgreSQL describes a parameter (`pg_settings`). */
export type ParameterKind = {
  name: string
  /** `bool`, `enum`, `integer`, `real` or `string`. */
  type: string
  /** What a bare number counts: `kB`, `8kB`, `ms`, `min` …; null for none. */
  unit: string | null
  min: string | null
  max: string | null
  /** Of an enum. */
  values: readonly string[]
  /** When a change takes effect, in PostgreSQL's word: `postmaster` needs a restart, `internal` never changes. */
  context: string
}

/** Parameters that may be changed in a server of Bey's: none of them runs a program, names a file or gives up data. */
const changeable: readonly RegExp[] = [
  /^(work_mem|maintenance_work_mem|logical_decoding_work_mem|temp_buffers|hash_mem_multiplier|effective_cache_size)$/,
  /^(random_page_cost|seq_page_cost|default_statistics_target|effective_io_concurrency|maintenance_io_concurrency)$/,
  /^(cpu_\w+_cost|parallel_\w+_cost|enable_\w+|geqo\w*|from_collapse_limit|join_collapse_limit|plan_cache_mode)$/,
  /^(jit|jit_above_cost|constraint_exclusion|cursor_tuple_fraction|recursive_worktable_factor)$/,
  /^(statement_timeout|lock_timeout|idle_in_transaction_session_timeout|idle_session_timeout|transaction_timeout)$/,
  /^(deadlock_timeout|autovacuum\w*|vacuum_\w+|default_transaction_(isolation|deferrable|read_only))$/,
  /^log_(min_duration_statement|statement|connections|disconnections|lock_waits|temp_files|checkpoints|duration)$/,
  /^log_(autovacuum_min_duration|min_messages|min_error_statement|error_verbosity|min_duration_sample)$/,
  /^(checkpoint_timeout|checkpoint_completion_target|max_wal_size|min_wal_size|wal_compression|commit_(delay|siblings))$/,
  // A copy must be able to replay what the server wrote: of the limits that have to be as high there, only this one moves.
  /^(max_connections|max_parallel_\w+)$/,
  /^(temp_file_limit|wal_buffers|bgwriter_\w+|tcp_keepalives_\w+|tcp_user_timeout|client_connection_check_interval)$/,
  /^(timezone|datestyle|intervalstyle|extra_float_digits|bytea_output|track_io_timing|track_functions|track_wal_io_timing)$/i,
  /^(track_activity_query_size|pg_stat_statements\.(max|track|track_utility|track_planning))$/,
  /^(gin_pending_list_limit|gin_fuzzy_search_limit|synchronous_commit|default_toast_compression|row_security)$/,
]

const decidedByBey =
  /^(port|listen_addresses|unix_socket_\w+|cluster_name|shared_buffers|archive_\w+|shared_preload_libraries|password_encryption|ssl\w*|hba_file|wal_level)$/

/** Connections that a server of Bey's takes at most, whatever is set. */
export const mostConnections = 500

/** Two segments of WAL, in MB as its parameters count. */
const leastWalSizeMib = '32'

/** Why a parameter is not changed, or undefined. */
export function parameterRefusal(
  { name, context }: Pick<ParameterKind, 'name' | 'context'>,
  provider: DatabaseProviderId,
): string | undefined {
  if (provider === 'external') return 'Its server is not run by Bey: change it in the configuration there.'
  if (provider === 'cnpg') return 'CloudNativePG applies it: change it in Settings.'
  if (context === 'internal') return 'It is fixed when the server is made.'
  if (name === 'shared_buffers') return 'It follows from the size of the database.'
  if (decidedByBey.test(name)) return 'Bey sets it, because it runs the server.'
  if (!isChangeableParameter(name)) return 'It could endanger the data or the machine of Bey.'
  return undefined
}

export const isChangeableParameter = (name: string) => changeable.some((pattern) => pattern.test(name))

const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  memory: { B: 1, kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 },
  time: { us: 0.001, ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 },
}

/** What is wrong with a value of a parameter, as a sentence; undefined where PostgreSQL takes it. */
export function parameterProblem(kind: ParameterKind, value: string): string | undefined {
  const { name, type, values } = kind
  // PostgreSQL takes less until its next start, and does not start with it.
  const min = /^(max|min)_wal_size$/.test(name) ? leastWalSizeMib : kind.min
  const max = name === 'max_connections' ? String(mostConnections) : kind.max
  const text = value.trim()
  // oxlint-disable-next-line no-control-regex -- these are what is refused
  if (/[\u0000-\u001f\u007f]/.test(value)) return `${name} takes no control characters.`
  switch (type) {
    case 'bool':
      return /^(on|off|true|false|yes|no|1|0)$/i.test(text) ? undefined : `${name} is on or off.`
    case 'enum':
      return values.some((each) => each === text.toLowerCase())
        ? undefined
        : `${name} is one of ${values.join(', ')}.`
    case 'integer':
    case 'real': {
      const found = amountOf(kind, text)
      if (typeof found === 'string') return found
      const tooSmall = min !== null && found < Number(min)
      const tooLarge = max !== null && found > Number(max)
      const unit = kind.unit === null ? '' : ` (in ${kind.unit})`
      return tooSmall || tooLarge ? `${name} is from ${min} to ${max}${unit}.` : undefined
    }
    default:
      return text === '' ? `${name} needs a value.` : undefined
  }
}

/** A value in the unit of its parameter, or what is wrong with it. */
function amountOf({ name, type, unit }: ParameterKind, text: string): number | string {
  const match = /^(-?\d+(?:\.\d+)?)\s*([a-zA-Z]*)$/.exec(text)
  const number = Number(match?.[1])
  if (match === null || !Number.isFinite(number)) return `${name} is a number${unitHint(unit)}.`
  const suffix = match[2] ?? ''
  if (suffix === '') {
    return type === 'integer' && !Number.isInteger(number) ? `${name} is a whole number.` : number
  }
  if (unit === null) return `${name} is a number without a unit.`
  const family = Object.values(factors).find((units) => baseUnit(unit) in units)
  const factor = family?.[suffix]
  if (family === undefined || factor === undefined) return `${name} is a number${unitHint(unit)}.`
  const own = (family[baseUnit(unit)] ?? 1) * (Number(/^\d+/.exec(unit)?.[0]) || 1)
  return (number * factor) / own
}

const baseUnit = (unit: string) => unit.replace(/^\d+/, '')

function unitHint(unit: string | null): string {
  if (unit === null) return ''
  const family = Object.values(factors).find((units) => baseUnit(unit) in units)
  if (family === undefined) return ''
  return `, with one of the units ${Object.keys(family).join(', ')}, or without one in ${unit}`
}

/** A bare number in the largest unit that divides it, as PostgreSQL shows values: 4096 of kB is `4MB`. */
export function shownParameterValue(bare: string, unit: string | null): string {
  const number = Number(bare)
  const family = unit === null ? undefined : Object.values(factors).find((units) => baseUnit(unit) in units)
  if (unit === null || family === undefined || bare === '' || !Number.isFinite(number) || number <= 0)
    return bare
  const amount = number * (family[baseUnit(unit)] ?? 1) * (Number(/^\d+/.exec(unit)?.[0]) || 1)
  const [name, factor] = Object.entries(family).findLast(([, size]) => amount % size === 0) ?? [unit, 1]
  return `${amount / factor}${name}`
}
