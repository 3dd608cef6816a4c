import { AppError } from '../../platform/errors.ts'

/** The last row of a page: what comes next is older than it, or of the next kind. */
export type PaletteCursor = { type: 'cluster'; id: number } | { type: 'workflow'; id: string }

const maxId = 2_147_483_647
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function formatCursor(row: { type: PaletteCursor['type']; id: string }): string {
  return `${row.type}:${row.id}`
}

/** Reads a cursor that we gave; throws AppError `invalid_request` for any other text. */
export function parseCursor(text: string | undefined): PaletteCursor | undefined {
  if (text === undefined) return undefined
  const [type, id = '', ...rest] = text.split(':')
  if (rest.length === 0) {
    if (type === 'cluster' && /^\d{1,10}$/.test(id) && Number(id) <= maxId) return { type, id: Number(id) }
    if (type === 'workflow' && uuid.test(id)) return { type, id }
  }
  throw new AppError('invalid_request', 'The cursor is not one that this list gave. Start again without it.')
}
