import { AppError } from '../../platform/errors.ts'

/** The last entry of a page: what comes next is older, or as old with a lesser number. */
export type AuditCursor = { at: Date; seq: number }

/** The last millisecond that PostgreSQL reads in the text of a Date: that of the year 9999. */
const latestMs = 253_402_300_799_999

export function formatCursor({ at, seq }: AuditCursor): string {
  return `${at.getTime()}-${seq}`
}

/** Reads a cursor that we gave; throws AppError `invalid_request` for any other text. */
export function parseCursor(text: string | undefined): AuditCursor | undefined {
  if (text === undefined) return undefined
  const [, time, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  if (time === undefined || seq === undefined || Number(time) > latestMs) {
    throw new AppError(
      'invalid_request',
      'The cursor is not one that this list gave. Start again without it.',
    )
  }
  return { at: new Date(Number(time)), seq: Number(seq) }
}
