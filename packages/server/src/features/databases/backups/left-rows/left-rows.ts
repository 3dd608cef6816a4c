import { type DatabaseLeftRows, type LeftTable, swapComparisonLimits } from '@bey/contract'

import { type Admin, type ManageParts, withSession } from '../../manage/open-admin.ts'
import type { DatabaseRow } from '../../store.ts'
import { compareKeys, TooLarge } from './compare-keys.ts'
import { isSameShape, readShapes, tableKey, type TableShape, textSettings } from './table-shape.ts'

const shownExamples = 5

/**
 * Reads in the old database and the one in its place at once, with values written alike. Functions that an owner wrote, in
 * casts and domains too, run with the rights of whoever reads, and the superuser may run programs on this machine: so the one
 * in its place is read as a role that sees every row and may do nothing else, and the old one, in which no role can be made any
 * more, with the rights of its owner. Throws AppError as `withSession`.
 */
export function withPair<T>(
  parts: ManageParts,
  { old, current }: { old: DatabaseRow; current: DatabaseRow },
  work: (old: Admin, current: Admin) => Promise<T>,
): Promise<T> {
  return withSession(parts, old, 'write', (oldReader) =>
    withSession(parts, current, 'dump', async (currentReader) => {
      await oldReader.query(textSettings)
      await currentReader.query(textSettings)
      return work(oldReader, currentReader)
    }),
  )
}

/** What the old database has that the one in its place has not, table by table. */
export function findLeftRows(
  parts: ManageParts,
  pair: { old: DatabaseRow; current: DatabaseRow },
): Promise<Omit<DatabaseLeftRows, 'at'>> {
  return withPair(parts, pair, async (old, current) => {
    const [all, there] = [await readShapes(old), await readShapes(current)]
    const inPlace = new Map(there.map((shape) => [tableKey(shape), shape]))
    const shapes = all.slice(0, swapComparisonLimits.tables)
    const compared: LeftTable[] = []
    for (const shape of shapes) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, so as not to disturb the users of both
      compared.push(await compareTable(old, current, shape, inPlace.get(tableKey(shape))))
    }
    const tables = compared.filter(
      ({ left, differing, reason }) => reason !== null || left !== 0 || differing !== 0,
    )
    return { tables, same: compared.length - tables.length, tablesLeftOut: all.length - shapes.length }
  })
}

/** Why rows of a table cannot be compared; null where they can. */
export function whyNotCompared(shape: TableShape, inPlace: TableShape | undefined): LeftTable['reason'] {
  if (inPlace === undefined) return 'no_table'
  if (shape.key.length === 0) return 'no_key'
  return isSameShape(shape, inPlace) ? null : 'other_columns'
}

async function compareTable(
  old: Admin,
  current: Admin,
  shape: TableShape,
  inPlace: TableShape | undefined,
): Promise<LeftTable> {
  const { schema, name, key } = shape
  const table = { schema, name, key, triggers: inPlace?.triggers ?? 0, differingKeys: [] }
  const reason = whyNotCompared(shape, inPlace)
  if (reason !== null) return { ...table, left: null, differing: null, reason }
  const counts = { left: 0, differing: 0 }
  const differingKeys: string[] = []
  try {
    for await (const difference of compareKeys(old, current, shape)) {
      counts[difference.kind] += 1
      if (difference.kind === 'differing' && differingKeys.length < shownExamples)
        differingKeys.push(exampleOf(difference.key))
    }
  } catch (error) {
    if (error instanceof TooLarge) return { ...table, left: null, differing: null, reason: 'too_large' }
    throw error
  }
  return { ...table, ...counts, differingKeys, reason: null }
}

/** "7" of one column, "7, de" of two. */
const exampleOf = (key: string) => (JSON.parse(key) as string[]).join(', ').slice(0, 100)
