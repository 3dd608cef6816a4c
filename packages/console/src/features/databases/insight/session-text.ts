import type { DatabaseSession } from '@bey/contract'

/** What a session has been doing, and since when, in ms since 1970. `none`: the monitor does not see it. */
export type SessionBar = {
  kind: 'idle' | 'waiting' | 'working' | 'hidden'
  /** Beginning of its transaction, where it has one. */
  fromMs: number
  /** Since when it is in its present state. */
  sinceMs: number
}

/** The times of a session on the axis; a session without times is drawn from now. */
export function sessionBar(session: DatabaseSession, nowMs: number): SessionBar {
  const { transactionStartedAt, stateSince, waitingSince, blockedBy, state } = session
  const began = millis(transactionStartedAt) ?? millis(stateSince) ?? nowMs
  if (blockedBy.length > 0) {
    return { kind: 'waiting', fromMs: began, sinceMs: millis(waitingSince) ?? began }
  }
  if (state === null) return { kind: 'hidden', fromMs: began, sinceMs: began }
  if (state === 'idle in transaction') {
    return { kind: 'idle', fromMs: began, sinceMs: millis(stateSince) ?? began }
  }
  return { kind: 'working', fromMs: began, sinceMs: nowMs }
}

/** Since when a session matters: how long it has waited, been idle, or been open. */
export function sessionAgeMs(session: DatabaseSession, nowMs: number): number {
  const { kind, fromMs, sinceMs } = sessionBar(session, nowMs)
  return Math.max(0, nowMs - (kind === 'working' || kind === 'hidden' ? fromMs : sinceMs))
}

/** "UPDATE orders SET … · a row of orders": what it does and what it waits for. */
export function doingText({ statement, waitsFor, state }: DatabaseSession): string {
  const line = (statement ?? '').replaceAll(/\s+/g, ' ')
  if (waitsFor === null) return state === 'idle in transaction' && line !== '' ? `last: ${line}` : line
  return `${line === '' ? 'waits for' : `${line} ·`} ${lockText(waitsFor)}`
}

/** "a row of orders", "the table orders (AccessExclusiveLock)". */
function lockText({ lock, mode, relation }: NonNullable<DatabaseSession['waitsFor']>): string {
  if (lock === 'transactionid' || lock === 'tuple') {
    return relation === null ? 'the end of a transaction' : `a row of ${relation}`
  }
  if (lock === 'relation') return `${relation === null ? 'a table' : `the table ${relation}`} (${mode})`
  return `${lock} (${mode})`
}

/** What is lost with a session. */
export function rollbackText({ hasChanges, writes, transactionStartedAt }: DatabaseSession): string {
  if (transactionStartedAt === null) return 'rolls back nothing: no transaction is open'
  if (!hasChanges) return 'rolls back nothing: it has changed nothing'
  return `rolls back what it changed${writes.length === 0 ? '' : ` in ${listText(writes)}`}`
}

/** What it is, in one word. */
export function stateText({ state, blockedBy, waitType }: DatabaseSession): string {
  if (blockedBy.length > 0) return 'waiting'
  if (state === null) return 'not visible'
  if (state === 'idle in transaction') return 'idle in its transaction'
  return state === 'active' ? (waitType === null ? 'working' : `active, ${waitType}`) : state
}

const listText = (names: readonly string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

const millis = (text: string | null) => (text === null ? undefined : Date.parse(text))
