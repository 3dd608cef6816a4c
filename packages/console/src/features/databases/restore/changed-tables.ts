import type { DatabaseMoment, SqlRelation } from '@bey/contract'

export interface ChangedTable {
  schema: string | null
  name: string
  /** The planner's estimate of its rows; null where it has none, undefined where the table is not listed. */
  now: number | null | undefined
  /** Dropped after the moment, and not there now. */
  isGone: boolean
  last: DatabaseMoment
  /** Earlier statements on it after the moment. */
  others: number
}

/** Tables that statements through Bey removed or rewrote after a moment, those that are gone first. `statements`: newest first. */
export function changedTables(
  statements: readonly DatabaseMoment[],
  relations: readonly SqlRelation[] | undefined,
  atMs: number,
): ChangedTable[] {
  const found = new Map<string, ChangedTable>()
  for (const statement of statements) {
    const { table, at } = statement
    if (table === null || Date.parse(at) <= atMs) continue
    const key = JSON.stringify([table.schema ?? 'public', table.name])
    const before = found.get(key)
    if (before !== undefined) {
      before.others += 1
      continue
    }
    const relation = relationOf(relations, table)
    const wasDropped = statements.some(
      (each) => each.verb === 'drop_table' && each.table?.name === table.name && Date.parse(each.at) > atMs,
    )
    found.set(key, {
      ...table,
      now: relation === undefined ? undefined : relation.rows,
      isGone: wasDropped && relations !== undefined && relation === undefined,
      last: statement,
      others: 0,
    })
  }
  return [...found.values()].toSorted((a, b) => Number(b.isGone) - Number(a.isGone))
}

/** A table as it is now; without a schema, the one that the server finds first is taken to be in `public`. */
export function relationOf(
  relations: readonly SqlRelation[] | undefined,
  { schema, name }: { schema: string | null; name: string },
): SqlRelation | undefined {
  return relations?.find((each) => each.name === name && each.schema === (schema ?? 'public'))
}
