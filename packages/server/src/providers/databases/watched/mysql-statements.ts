import type { ExternalTarget, ReadStatements } from '../../../features/databases/provider.ts'
import type { StatementsProblem } from '../../../tables/database-statements.ts'
import type { AskMysql } from './mysql-figures.ts'

/** Those that took the most time since the server began to count. */
const maxCounted = 500

type Digest = {
  digest: string
  text: string
  calls: string | number
  total_ms: string | number
  affected: string | number
  first_seen: string | number | null
}

/** Statements that only steer a session, and those that ask the server about itself, as Bey does. */
const uninteresting =
  '^(show|set|commit|rollback|begin|start transaction|use|explain|flush|select @@)|information_schema|performance_schema'

/** What statements of a database did, by the digests of the Performance Schema, in which each value is a question mark. */
export async function countMysqlStatements(
  ask: AskMysql,
  { databaseName, username }: ExternalTarget,
): Promise<ReadStatements | { problem: StatementsProblem }> {
  const [schema] = await ask<{ is_on: string | number }>('select @@performance_schema as is_on')
  if (Number(schema?.is_on) !== 1) {
    return {
      problem: {
        text: 'The server does not count statements: its Performance Schema is off. Add these lines to its configuration and restart it.',
        lines: ['[mysqld]', 'performance_schema = ON'],
      },
    }
  }
  try {
    const rows = await ask<Digest>(
      `select digest, digest_text as text, count_star as calls, sum_timer_wait / 1000000000 as total_ms,
         sum_rows_sent + sum_rows_affected as affected, unix_timestamp(first_seen) * 1000 as first_seen
       from performance_schema.events_statements_summary_by_digest
       where schema_name = ? and digest_text is not null and lower(digest_text) not regexp ?
       order by sum_timer_wait desc limit ${maxCounted}`,
      [databaseName, uninteresting],
    )
    return {
      since: null,
      statements: rows.map(({ digest, text, calls, total_ms, affected, first_seen }) => ({
        queryId: idOfDigest(digest),
        text,
        // The server cuts digests itself.
        isCut: text.endsWith('...'),
        calls: Number(calls),
        totalMs: Number(total_ms),
        rows: Number(affected),
        ioMs: 0,
        // In whole seconds: what was first seen in the second of the count before, and was not in it, came after it.
        since: first_seen === null ? null : new Date(Number(first_seen) + 999),
        users: [],
      })),
    }
  } catch (error) {
    // No privilege on the table.
    if ((error as { errno?: unknown }).errno !== 1142) throw error
    return {
      problem: {
        text: `The user "${username}" may not read the Performance Schema. As an administrator execute, with the host of that user:`,
        lines: [`GRANT SELECT ON performance_schema.* TO ${quoted(username)}@'%';`],
      },
    }
  }
}

/** The first 64 bits of a digest, as a number of PostgreSQL. */
const idOfDigest = (digest: string) => String(BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)))

const quoted = (name: string) => `'${name.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
