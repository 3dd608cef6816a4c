import { isIdOf, paletteTypes, type PaletteType } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'

/** The last row of a page: what comes next is older than it, or of a later type. */
export type PaletteCursor = { type: PaletteType; id: string }

export function formatCursor({ type, id }: PaletteCursor): string {
  return `${type}:${id}`
}

/** Reads a cursor that we gave; throws AppError `invalid_request` for any other text. */
export function parseCursor(text: string | undefined): PaletteCursor | undefined {
  if (text === undefined) return undefined
  const [name, id = '', ...rest] = text.split(':')
  const type = paletteTypes.find((each) => each === name)
  if (type !== undefined && rest.length === 0 && isIdOf(type, id)) return { type, id }
  throw new AppError('invalid_request', 'The cursor is not one that this list gave. Start again without it.')
}
