import type { SqlPlanNode } from '@bey/contract'

/** A column, `=` or an order, and a parameter or constant: `(customer_id = $1)`, `((state)::text = 'open'::text)`. */
const comparison =
  /(?<![\w"])\(+(?:(?:"[^"]+"|[a-z_][a-z0-9_$]*)\.)?("[^"]+"|[a-z_][a-z0-9_$]*)\)?(?:::[a-z ]+(?:\(\d+\))?)?\s*(=|>=|<=|>|<)\s*(?:ANY\s*)?\(*(?:\$\d+|'(?:[^']|'')*'|-?\d+(?:\.\d+)?|NULL)/gi

/**
 * Columns by which a filter could be answered from an index: compared for equality first, then one that is compared by
 * order. A filter with OR has none, for an index on one side of it does not help.
 */
export function indexableColumns(filter: string): string[] {
  if (/\bOR\b/.test(filter.replaceAll(/'(?:[^']|'')*'/g, "''"))) return []
  const found = [...filter.matchAll(comparison)].map(([, column = '', operator = '']) => ({
    column,
    operator,
  }))
  const equal = found.filter(({ operator }) => operator === '=').map(({ column }) => column)
  const ordered = found.filter(({ operator }) => operator !== '=').map(({ column }) => column)
  return [...new Set([...equal, ...ordered.slice(0, 1)])].slice(0, 3)
}

/** A read of a whole table, with the columns of its filter and how many rows the planner expects to find. */
export type Scan = { table: string; columns: string[]; expectedRows: number }

/** Reads of whole tables in a plan whose filters an index can answer. */
export function scansOf(nodes: readonly SqlPlanNode[]): Scan[] {
  return nodes.flatMap(({ type, subject, conditions, expectedRows }) => {
    if (!type.endsWith('Seq Scan') || subject === null) return []
    const columns = [...new Set(conditions.flatMap(indexableColumns))]
    const [table = ''] = subject.split(' ')
    return columns.length === 0 ? [] : [{ table, columns, expectedRows }]
  })
}
