import type { SqlError } from '@bey/contract'
import { DatabaseError } from 'pg'

import { copyRefused } from '../../../platform/db/statement-cursor.ts'
import type { BoundStatement } from './bind-parameters.ts'

type Refusal = Pick<DatabaseError, 'message' | 'code' | 'detail' | 'hint' | 'position'> & {
  where?: string | undefined
}

/** Whether the server refused the statement; anything else means that the connection failed. */
export function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof DatabaseError ||
    (error instanceof Error && 'code' in error && error.code === copyRefused)
  )
}

/**
 * An error of PostgreSQL, with its place in the statement as it was written. `prefix`: characters that were put before the
 * statement, which its author does not see.
 */
export function sqlErrorOf(error: Refusal, sent: BoundStatement, prefix = 0): SqlError {
  const { message, code = '', detail, hint, position, where } = error
  const place = Number(position) - prefix
  const isKnown = Number.isInteger(place) && place >= 1
  // The server counts characters, JavaScript UTF-16 units.
  const offset = isKnown
    ? Array.from(sent.text)
        .slice(0, place - 1)
        .join('').length
    : 0
  const before = sent.statement.slice(0, sent.originalOffset(offset))
  const lines = before.split('\n')
  const number = /parameter \$(\d+)/.exec(`${message}\n${where ?? ''}`)?.[1]
  const parameter = number === undefined ? undefined : sent.names[Number(number) - 1]
  return {
    message: withNames(messageOf(code, message), sent.names),
    code,
    detail: detail ?? null,
    hint: hint ?? hintOf(code),
    position: isKnown ? Array.from(before).length + 1 : null,
    line: isKnown ? lines.length : null,
    column: isKnown ? Array.from(lines.at(-1) ?? '').length + 1 : null,
    parameter: parameter ?? null,
  }
}

/** Parameters by the names that their author gave them. */
function withNames(message: string, names: readonly string[]): string {
  return names.length === 0
    ? message
    : message.replaceAll(/\$(\d+)/g, (all, number: string) => {
        const name = names[Number(number) - 1]
        return name === undefined ? all : `:${name}`
      })
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
    case '42P02': {
      return 'PostgreSQL takes parameters in queries and changes of rows alone.'
    }
    case '42P18': {
      return 'Write its type behind it, such as :region::text.'
    }
    case '42501': {
      return 'The role of the console lacks this right.'
    }
    default: {
      return null
    }
  }
}
