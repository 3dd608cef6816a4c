import { type DatabaseMoment, type SqlRelation, tableText } from '@bey/contract'
import { relationOf } from './changed-tables.ts'
import { removesAll } from './restore-moments.ts'

/** What becomes of the rows of one table: a table of their own, or the rows of the one that is there. */
export type TableInto = 'table' | 'rows'

export interface ChosenTable {
  schema: string
  name: string
}

/** A table as people type it: with its schema before a dot, or in `public`. Undefined for none, or a name that is too long. */
export function tableOf(typed: string): ChosenTable | undefined {
  const text = typed.trim()
  const dot = text.indexOf('.')
  const [schema, name] = dot > 0 ? [text.slice(0, dot), text.slice(dot + 1)] : ['public', text]
  const fits = (part: string) => part !== '' && new TextEncoder().encode(part).length <= 63
  return fits(schema) && fits(name) ? { schema, name } : undefined
}

/** The table that was removed last, as it is typed; empty where none is known. */
export function removedTable(statements: readonly DatabaseMoment[]): string {
  const table = statements.find((each) => removesAll(each) && each.table !== null)?.table
  return table == null ? '' : tableText(table)
}

/** Tables to choose from: those that were dropped since the moment, then those that are there. */
export function tableSuggestions(
  statements: readonly DatabaseMoment[],
  relations: readonly SqlRelation[] | undefined,
): string[] {
  const gone = statements.flatMap(({ verb, table }) =>
    verb === 'drop_table' && table !== null && relationOf(relations, table) === undefined
      ? [tableText(table)]
      : [],
  )
  const there = (relations ?? []).filter(({ kind }) => kind === 'table').map(tableText)
  return [...new Set([...gone, ...there])]
}

/** `NAME_restored_1341`: the time of the moment in UTC, as the server names the table. */
export function besideName(name: string, atMs: number): string {
  return `${name}_restored_${new Date(atMs).toISOString().slice(11, 16).replace(':', '')}`
}
