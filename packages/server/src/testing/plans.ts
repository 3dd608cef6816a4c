import pg from 'pg'
import type { Database } from '../platform/db/database.ts'

export type Plan = {
  sql: string
  /** Rows that the greediest scan of the plan looked at, those that a filter then dropped included. */
  rowsScanned: number
  /** How often the subquery that was executed most often was. */
  subplanLoops: number
}

type Statement = { text: string; values: unknown[] }

/** What `work` asked the database for, and how PostgreSQL went about it for that organization. */
export async function plansOf(
  database: Pick<Database, 'pool'>,
  organizationId: number,
  work: () => Promise<unknown>,
): Promise<Plan[]> {
  const statements = await recordSelects(work)
  const client = await database.pool.connect()
  try {
    await client.query(`begin; set local bey.organization_id = ${organizationId}`)
    const plans: Plan[] = []
    for (const { text, values } of statements) {
      // oxlint-disable-next-line no-await-in-loop -- one connection explains one statement at a time
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
        text: `explain (analyze, timing off, format json) ${text}`,
        values,
      })
      const [row] = rows
      if (row) {
        const [{ Plan: plan }] = row['QUERY PLAN']
        plans.push({ sql: text, rowsScanned: greediestScan(plan), subplanLoops: mostSubplanLoops(plan) })
      }
    }
    return plans
  } finally {
    await client.query('rollback')
    client.release()
  }
}

type PlanNode = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Parent Relationship'?: string
  Plans?: PlanNode[]
}

function greediestScan(node: PlanNode): number {
  const isScan = node['Node Type'].endsWith('Scan')
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  return Math.max(isScan ? rows : 0, ...(node.Plans ?? []).map(greediestScan))
}

function mostSubplanLoops(node: PlanNode): number {
  const own = node['Parent Relationship'] === 'SubPlan' ? node['Actual Loops'] : 0
  return Math.max(own, ...(node.Plans ?? []).map(mostSubplanLoops))
}

/** What a connection calls itself; requests go by those of the application. */
function applicationOf(client: pg.Client): unknown {
  const parameters: unknown = Reflect.get(client, 'connectionParameters')
  return typeof parameters === 'object' && parameters !== null && Reflect.get(parameters, 'application_name')
}

/** Every select that requests of this process send meanwhile. */
async function recordSelects(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const { prototype } = pg.Client
  const original = Reflect.get(prototype, 'query') as (...args: unknown[]) => unknown
  Reflect.set(prototype, 'query', function record(this: pg.Client, ...args: unknown[]) {
    const [query, values] = args
    if (applicationOf(this) !== 'bey') return original.apply(this, args)
    const text: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : query
    const own: unknown =
      typeof query === 'object' && query !== null ? Reflect.get(query, 'values') : undefined
    const given = Array.isArray(values) ? values : own
    if (typeof text === 'string' && /^\s*\(?(select|with)\b/i.test(text)) {
      statements.push({ text, values: Array.isArray(given) ? given : [] })
    }
    return original.apply(this, args)
  })
  try {
    await work()
  } finally {
    Reflect.set(prototype, 'query', original)
  }
  return statements
}
