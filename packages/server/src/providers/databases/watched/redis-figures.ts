import { createHash } from 'node:crypto'

import { oldestEngines } from '@bey/contract'

import type { ReadStatements, WatchedReading } from '../../../features/databases/provider.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import type { SlowEntry } from '../../../tables/databases.ts'
import type { AskRedis } from './redis.ts'

/** Entries of the slow log that are read, and those that are kept: the slowest. */
const readEntries = 128
const keptEntries = 20
const maxKeyChars = 100

/** What a server of Redis or Valkey says of itself. Throws ConnectionProblem for one too old, and for a Sentinel. */
export async function readRedis(ask: AskRedis, at: Date): Promise<Omit<WatchedReading, 'ownStatements'>> {
  const info = fieldsOf(String(await ask('INFO')))
  const number = (name: string) => Number(info.get(name) ?? 0)
  const { engine, version } = versionOf(info)
  if (info.get('redis_mode') === 'sentinel') {
    throw new ConnectionProblem(
      'The server is a Sentinel, which keeps no data. Connect to the server that it watches.',
    )
  }
  const notes = notesOf(info)
  const limit = number('maxmemory')
  const policy = info.get('maxmemory_policy') ?? 'noeviction'
  if (limit > 0 && policy !== 'noeviction') {
    notes.push(`Keys are evicted (${policy}) once ${Math.round(limit / 1024 ** 2)} MiB are in use.`)
  }
  const slowest = await readSlowLog(ask).catch((error: unknown) => {
    notes.push(`The slow log cannot be read: ${refusalText(error)}`)
    return undefined
  })
  return {
    engine,
    version,
    notes,
    figures: {
      sizeBytes: number('used_memory'),
      sizeLimitBytes: limit > 0 && policy === 'noeviction' ? limit : null,
      maxConnections: await readMaxClients(ask, info),
      // Without the connection that asks.
      connections: Math.max(0, number('connected_clients') - 1),
      active: null,
      idle: null,
      idleInTransaction: null,
      waiting: number('blocked_clients'),
      startedAt: new Date(at.getTime() - number('uptime_in_seconds') * 1_000).toISOString(),
      longestQueryMs: null,
      longestLockWaitMs: null,
      longestIdleInTransactionMs: null,
      ...(slowest && { slowest }),
    },
    counters: {
      commits: 0,
      rollbacks: 0,
      hits: number('keyspace_hits'),
      reads: number('keyspace_misses'),
      statements: number('total_commands_processed'),
    },
  }
}

/** Lines of `INFO`: `name:value`, with headings that begin with #. */
function fieldsOf(text: string): Map<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':')
      return colon <= 0 || line.startsWith('#') ? [] : [[line.slice(0, colon), line.slice(colon + 1)]]
    }),
  )
}

function versionOf(info: ReadonlyMap<string, string>): { engine: 'redis' | 'valkey'; version: string } {
  const valkey = info.get('valkey_version')
  const version = valkey ?? info.get('redis_version') ?? ''
  const engine = valkey === undefined ? 'redis' : 'valkey'
  const oldest = oldestEngines[engine]
  if (Number.parseInt(version, 10) >= Number.parseInt(oldest, 10)) return { engine, version }
  throw new ConnectionProblem(
    `The server is Redis ${version === '' ? 'of an unknown version' : version}. Bey looks after Redis ${oldest} and newer: upgrade it first.`,
  )
}

function notesOf(info: ReadonlyMap<string, string>): string[] {
  return [
    info.get('role') === 'slave'
      ? `The server is a replica${info.get('master_link_status') === 'down' ? ' that has lost its primary' : ''}: it can be read only.`
      : undefined,
    info.get('cluster_enabled') === '1'
      ? 'The server is one node of a cluster: figures are of this node alone.'
      : undefined,
    info.get('rdb_last_bgsave_status') === 'err'
      ? 'The last snapshot of the data could not be written: the server may refuse changes until one can.'
      : undefined,
  ].filter((note) => note !== undefined)
}

/** `maxclients` is in the answer of INFO in newer servers only, and services that are managed forbid CONFIG. */
async function readMaxClients(ask: AskRedis, info: ReadonlyMap<string, string>): Promise<number> {
  const said = info.get('maxclients')
  if (said !== undefined) return Number(said)
  try {
    const answer = (await ask('CONFIG', 'GET', 'maxclients')) as string[]
    return Number(answer[1])
  } catch (error) {
    throw new ConnectionProblem(
      `The server does not say how many clients it admits: ${refusalText(error)} Allow CONFIG GET to the user.`,
      { cause: error },
    )
  }
}

async function readSlowLog(ask: AskRedis): Promise<SlowEntry[]> {
  const entries = (await ask('SLOWLOG', 'GET', readEntries)) as [number, number, number, string[]][]
  return entries
    .filter(([, , , words]) => !uninteresting.test((words[0] ?? '').toLowerCase()))
    .map(([, at, micros, words]) => ({
      at: new Date(at * 1_000).toISOString(),
      durationMs: micros / 1_000,
      text: commandText(words),
    }))
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, keptEntries)
}

/** A command and its first argument, which is a key in most of them: values stay on the server. */
function commandText([name = '', first, ...rest]: readonly string[]): string {
  const key =
    first === undefined ? '' : ` ${first.slice(0, maxKeyChars)}${first.length > maxKeyChars ? '…' : ''}`
  const others = rest.length === 0 ? '' : ` … ${rest.length} more`
  return `${name.toUpperCase()}${key}${others}`
}

/** Commands by which clients and Bey itself look after their connection. */
const uninteresting = /^(info|auth|hello|select|ping|quit|client|slowlog|config|command|latency)\b/

/** What each command did since the statistics of the server were reset. */
export async function countCommands(ask: AskRedis, at: Date): Promise<ReadStatements> {
  const stats = fieldsOf(String(await ask('INFO', 'commandstats')))
  const statements = [...stats].flatMap(([field, text]) => {
    const name = /^cmdstat_(.+)$/.exec(field)?.[1]
    if (name === undefined || uninteresting.test(name)) return []
    const values = new Map(text.split(',').map((pair) => pair.split('=') as [string, string]))
    const value = (key: string) => Number(values.get(key) ?? 0)
    return [
      {
        queryId: idOfCommand(name),
        text: name.replaceAll('|', ' ').toUpperCase(),
        isCut: false,
        calls: value('calls'),
        totalMs: value('usec') / 1_000,
        rows: 0,
        ioMs: 0,
        // A command that was not counted before was not executed before.
        since: at,
        users: [],
      },
    ]
  })
  return { since: null, statements }
}

const idOfCommand = (name: string) => String(createHash('sha256').update(name).digest().readBigInt64BE())

const refusalText = (error: unknown) =>
  `${(error instanceof Error ? error.message : String(error)).replace(/\.?$/, '.')}`
