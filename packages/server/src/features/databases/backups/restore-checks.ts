import type { DatabaseCheckResult } from '@bey/contract'

import type { Client } from 'pg'

const timeoutMs = 60_000
const detailChars = 300

/**
 * Asks a restored copy what its owner wants it to answer, in transactions that change nothing. `client` has to be of a role
 * that may only read: a statement of the server's administrator could run programs on this machine.
 */
export async function runChecks(
  client: Client,
  checks: readonly { name: string; sql: string }[],
  nowMs: () => number,
): Promise<DatabaseCheckResult[]> {
  const results: DatabaseCheckResult[] = []
  for (const { name, sql } of checks) {
    const begunMs = nowMs()
    const found = await runCheck(client, sql)
    results.push({ name, ...found, durationMs: Math.round(nowMs() - begunMs) })
  }
  return results
}

/** A check that PostgreSQL refuses has failed: its owner wrote it, and it ran before. */
async function runCheck(client: Client, sql: string) {
  await client.query(`begin read only; set local statement_timeout = ${timeoutMs}`)
  try {
    // Extended protocol: one statement, so that nothing can end the transaction that is read only.
    const { rows } = await client.query<unknown[]>({ text: sql, values: [], rowMode: 'array' })
    const value = rows[0]?.[0]
    const passed = rows.length > 0 && value !== false && value !== null
    return { outcome: passed ? ('passed' as const) : ('failed' as const), detail: textOf(rows.length, value) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { outcome: 'failed' as const, detail: message.slice(0, detailChars) }
  } finally {
    await client.query('rollback')
  }
}

function textOf(rows: number, value: unknown): string {
  if (rows === 0) return 'It answered no row.'
  return `It answered ${String(JSON.stringify(value))}.`.slice(0, detailChars)
}
