import { AppError } from '../../platform/errors.ts'

/** The last row of a page: what comes next is older, or as old with a lesser id. */
export type NotificationCursor = { at: Date; id: string }

/** The last millisecond that PostgreSQL reads in the text of a Date: that of the year 9999. */
const latestMs = 253_402_300_799_999

const shape = /^(\d{1,15})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

export function formatCursor({ at, id }: NotificationCursor): string {
  return `${at.getTime()}-${id}`
}

/** Reads a cursor that we gave; throws AppError `invalid_request` for any other text. */
export function parseCursor(text: string | undefined): NotificationCursor | undefined {
  if (text === undefined) return undefined
  const [, time, id] = shape.exec(text) ?? []
  if (time === undefined || id === undefined || Number(time) > latestMs) {
    throw new AppError(
      'invalid_request',
      'The cursor is not one that this list gave. Start again without it.',
    )
  }
  return { at: new Date(Number(time)), id }
}
