import type { SqlEstimate } from '@bey/contract'
import { z } from 'zod'

type Effects = Pick<SqlEstimate, 'expectedRows' | 'changes' | 'locksRows'> & {
  /** Tables that are read row by row. */
  reads: { schema: string; relation: string; isWhole: boolean }[]
}

/** What `EXPLAIN (FORMAT JSON, VERBOSE)` answers, as far as it says what is read and written. */
type RawNode = z.infer<typeof rawFacts> & { Plans?: RawNode[] }
const rawFacts = z.object({
  'Node Type': z.string(),
  'Parent Relationship': z.string().optional(),
  'Join Type': z.string().optional(),
  'Inner Unique': z.boolean().optional(),
  Strategy: z.string().optional(),
  Operation: z.string().optional(),
  Schema: z.string().optional(),
  'Relation Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  'Plan Rows': z.number(),
})
const rawNode: z.ZodType<RawNode> = z.lazy(() => rawFacts.extend({ Plans: z.array(rawNode).optional() }))
const rawPlan = z.array(z.object({ Plan: rawNode })).min(1)

const operations = { Insert: 'insert', Update: 'update', Delete: 'delete', Merge: 'merge' } as const

/** Steps that take all rows from below before they give their first. */
const takesAll = new Set(['Sort', 'Hash', 'ModifyTable', 'Gather Merge'])

/**
 * What a plan reads row by row and what it writes, from the types of its steps alone. `maxRows`: after so many rows its
 * reader stops, and with it the steps that give one row after the other.
 */
export function planEffects(answer: unknown, maxRows: number): Effects {
  const [first] = rawPlan.parse(typeof answer === 'string' ? JSON.parse(answer) : answer)
  const effects: Effects = { expectedRows: null, changes: [], locksRows: false, reads: [] }
  if (first === undefined) return effects
  const root = first.Plan
  effects.expectedRows = (root['Node Type'] === 'ModifyTable' ? root.Plans?.[0] : root)?.['Plan Rows'] ?? null
  collect(root, root['Plan Rows'] <= maxRows, effects)
  return effects
}

/** `isWhole`: the step is asked for all of its rows. */
function collect(node: RawNode, isWhole: boolean, effects: Effects): void {
  const {
    'Node Type': type,
    'Relation Name': relation,
    Schema: schema = 'public',
    Operation: operation,
  } = node
  if (relation !== undefined && readsRowByRow(node)) effects.reads.push({ schema, relation, isWhole })
  if (type === 'LockRows') effects.locksRows = true
  if (type === 'ModifyTable' && operation !== undefined && operation in operations) {
    effects.changes.push({
      operation: operations[operation as keyof typeof operations],
      relation: qualified(schema, relation ?? ''),
    })
  }
  for (const child of node.Plans ?? []) collect(child, isAskedForAll(node, child, isWhole), effects)
}

/** From the beginning to the end: of the table, or of an index that no condition narrows. */
function readsRowByRow({ 'Node Type': type, 'Index Cond': condition }: RawNode): boolean {
  if (type === 'Seq Scan') return true
  return (type === 'Index Scan' || type === 'Index Only Scan') && condition === undefined
}

function isAskedForAll(node: RawNode, child: RawNode, isWhole: boolean): boolean {
  const { 'Node Type': type, Strategy: strategy, 'Join Type': join } = node
  const relationship = child['Parent Relationship']
  if (takesAll.has(type)) return true
  // Over all rows, in memory or one after the other: the result is not there before the last of them.
  if (type === 'Aggregate') return strategy !== 'Sorted' || isWhole
  if (type === 'Limit') return false
  // EXISTS and IN may be answered by the first row.
  if (relationship === 'SubPlan' || relationship === 'InitPlan') return false
  // The table of a hash join is complete before the first row is looked up in it.
  if (type === 'Hash Join' && relationship === 'Inner') return true
  if (type === 'Merge Join') return false
  const stopsEarly = join === 'Semi' || join === 'Anti' || node['Inner Unique'] === true
  if (type === 'Nested Loop' && relationship === 'Inner' && stopsEarly) return false
  return isWhole
}

/** A name as it is written without a schema where that is `public`. */
export const qualified = (schema: string, name: string) => (schema === 'public' ? name : `${schema}.${name}`)
