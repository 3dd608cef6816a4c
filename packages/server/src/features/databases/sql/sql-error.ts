import type { SqlError } from '@bey/contract'
import { DatabaseError } from 'pg'

import { copyRefused } from '../../../platform/db/statement-cursor.ts'

type Refusal = Pick<DatabaseError, 'message' | 'code' | 'detail' | 'hint' | 'position'>

/** Whether the server refused the statement; anything else means that the connection failed. */
export function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof DatabaseError ||
    (error instanceof Error && 'code' in error && error.code === copyRefused)
  )
}

/**
 * An error of PostgreSQL, with its place in the statement. `prefix`: characters that were put before the statement, which
 * its author does not see.
 */
export function sqlErrorOf(error: Refusal, statement: string, prefix = 0): SqlError {
  const { message, code = '', detail, hint, position } = error
  const place = Number(position) - prefix
  const isKnown = Number.isInteger(place) && place >= 1
  // The server counts characters, JavaScript UTF-16 units.
  const before = isKnown
    ? Array.from(statement)
        .slice(0, place - 1)
        .join('')
    : ''
  const lines = before.split('\n')
  return {
    message: messageOf(code, message),
    code,
    detail: detail ?? null,
    hint: hint ?? hintOf(code),
    position: isKnown ? place : null,
    line: isKnown ? lines.length : null,
    column: isKnown ? Array.from(lines.at(-1) ?? '').length + 1 : null,
  }
}

function messageOf(code: string, message: string): string {
  if (code === '42601' && message.includes('multiple commands')) return 'Only one statement at a time'
  return message
}

/** What helps, where PostgreSQL itself does not say it. */
function hintOf(code: string): string | null {
  switch (code) {
    case '25006': {
      return 'This console only reads. Allow writing to change the database.'
    }
    case '57014': {
      return 'The statement was cancelled, or took longer than its time limit.'
    }
    case '42501': {
      return 'The role of the console lacks this right.'
    }
    default: {
      return null
    }
  }
}
