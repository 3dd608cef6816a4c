import { sqlLimits, type SqlPlanNode } from '@bey/contract'
import { z } from 'zod'

/** What `EXPLAIN (FORMAT JSON)` answers, as far as it is shown. */
type RawNode = z.infer<typeof rawFacts> & { Plans?: RawNode[] }
const rawFacts = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  Alias: z.string().optional(),
  'Index Name': z.string().optional(),
  'Function Name': z.string().optional(),
  'CTE Name': z.string().optional(),
  'Plan Rows': z.number(),
  'Total Cost': z.number(),
  'Actual Rows': z.number().optional(),
  'Actual Total Time': z.number().optional(),
  'Actual Loops': z.number().optional(),
  'Shared Hit Blocks': z.number().optional(),
  'Shared Read Blocks': z.number().optional(),
  Filter: z.string().optional(),
  'Index Cond': z.string().optional(),
  'Recheck Cond': z.string().optional(),
  'Hash Cond': z.string().optional(),
  'Merge Cond': z.string().optional(),
  'Join Filter': z.string().optional(),
})
const rawNode: z.ZodType<RawNode> = z.lazy(() => rawFacts.extend({ Plans: z.array(rawNode).optional() }))
const rawPlan = z
  .array(
    z.object({
      Plan: rawNode,
      'Planning Time': z.number().optional(),
      'Execution Time': z.number().optional(),
    }),
  )
  .min(1)

const conditions = ['Index Cond', 'Recheck Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'Filter'] as const

/** The steps of a plan, each before those that it takes its rows from. */
export function parsePlan(answer: unknown) {
  const [first] = rawPlan.parse(typeof answer === 'string' ? JSON.parse(answer) : answer)
  const nodes: SqlPlanNode[] = []
  if (first) flatten(first.Plan, null, 0, nodes)
  return {
    nodes,
    planningMs: first?.['Planning Time'] ?? null,
    executionMs: first?.['Execution Time'] ?? null,
  }
}

function flatten(raw: RawNode, parentId: number | null, depth: number, nodes: SqlPlanNode[]): void {
  if (nodes.length === sqlLimits.planNodes) return
  const children = raw.Plans ?? []
  const total = totalMs(raw)
  const below = children.map(totalMs)
  const id = nodes.length
  nodes.push({
    id,
    parentId,
    depth,
    type: raw['Node Type'],
    subject: subjectOf(raw),
    conditions: conditions.flatMap((name) => raw[name] ?? []),
    expectedRows: raw['Plan Rows'],
    actualRows: raw['Actual Rows'] ?? null,
    loops: raw['Actual Loops'] ?? null,
    selfMs: total === null ? null : Math.max(0, total - sum(below.map((ms) => ms ?? 0))),
    selfCost: Math.max(0, raw['Total Cost'] - sum(children.map((child) => child['Total Cost']))),
    blocksHit: ownBlocks(raw, children, 'Shared Hit Blocks'),
    blocksRead: ownBlocks(raw, children, 'Shared Read Blocks'),
  })
  for (const child of children) flatten(child, id, depth + 1, nodes)
}

/** PostgreSQL gives the time of one loop. */
function totalMs(raw: RawNode): number | null {
  const time = raw['Actual Total Time']
  return time === undefined ? null : time * (raw['Actual Loops'] ?? 1)
}

function ownBlocks(raw: RawNode, children: RawNode[], name: 'Shared Hit Blocks' | 'Shared Read Blocks') {
  const all = raw[name]
  return all === undefined ? null : Math.max(0, all - sum(children.map((child) => child[name] ?? 0)))
}

function subjectOf(raw: RawNode): string | null {
  const name = raw['Relation Name'] ?? raw['Function Name'] ?? raw['CTE Name']
  const index = raw['Index Name']
  if (name === undefined) return index ?? null
  const alias = raw.Alias !== undefined && raw.Alias !== name ? ` ${raw.Alias}` : ''
  return index === undefined ? `${name}${alias}` : `${name}${alias} by ${index}`
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
