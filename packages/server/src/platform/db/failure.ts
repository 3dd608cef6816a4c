import { AppError, causes } from '../errors.ts'

const lostStates = new Set(['57P01', '57P02', '57P03', '53300', '25P03'])
const lostErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** A file that is missing fails with ENOENT as well, but not while connecting. */
const socketCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])
const lostMessages =
  /^(connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|client was closed)/i

/** Whether the database could not be reached, as opposed to having refused a statement. */
export function isLost(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (!(cause instanceof Error)) continue
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (lostStates.has(code) || code.startsWith('08')) return true
    if (lostErrnos.has(code) && 'syscall' in cause && socketCalls.has(String(cause.syscall))) return true
    if (lostMessages.test(cause.message)) return true
  }
  return false
}

/** SQLSTATE class 53, insufficient resources, save 53300 (too many connections). */
const fullStates = new Set(['53100', '53200'])

/** The two ways in which PostgreSQL breaks off a transaction that waits for another which waits for it. */
const retryableStates = new Set(['40P01', '40001'])

/** Whether PostgreSQL broke a transaction off that may succeed when it is tried again. */
export function isRetryable(error: unknown): boolean {
  return [...causes(error)].some(
    (cause) => cause instanceof Error && 'code' in cause && retryableStates.has(String(cause.code)),
  )
}

/** A database that is lost or full, or that broke a deadlock up, becomes AppError `unavailable` (503); every other error stays what it is. */
export function unavailable(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (isLost(error)) {
    const message = 'The database does not answer at the moment. Try again in a few seconds.'
    return new AppError('unavailable', message, { cause: error })
  }
  for (const cause of causes(error)) {
    if (!(cause instanceof Error && 'code' in cause)) continue
    const message = messageOf(String(cause.code))
    if (message !== undefined) return new AppError('unavailable', message, { cause: error })
  }
  return error
}

function messageOf(state: string): string | undefined {
  if (fullStates.has(state))
    return 'The database has no room left. Whoever runs this server must free disk space or memory.'
  if (retryableStates.has(state))
    return 'Two changes waited for each other, and this one gave way. Nothing of it was done: try again.'
  return undefined
}

/**
 * Name of the constraint that a statement violated (`clusters_title_key`), or undefined if it failed otherwise.
 * drizzle wraps the error of the driver, hence the walk.
 */
export function violatedConstraint(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') continue
    if (!cause.code.startsWith('23')) continue
    if ('constraint' in cause && typeof cause.constraint === 'string') return cause.constraint
  }
  return undefined
}
