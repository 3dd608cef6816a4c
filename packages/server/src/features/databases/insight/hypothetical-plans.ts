import type { Client } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import { withoutParameters } from '../sql/bind-parameters.ts'
import { explainStatement } from '../sql/explain-statement.ts'
import type { Finding, ScannedStatement } from './advice-rules.ts'

const rule = 'missing-index'
const explainTimeoutMs = 5_000
/** The planner has to find a statement cheaper by a twentieth, or its choice would not change. */
const worthwhile = 0.95
const label = 'Planner with the index'

// Functions of the extension alone, which a superuser installed: the owner of a database may have made others of this name.
const schemaSql = `
  select pg_catalog.quote_ident(n.nspname) as schema from pg_catalog.pg_extension e
    join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass and d.refobjid = e.oid
      and d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.deptype = 'e'
    join pg_catalog.pg_proc p on p.oid = d.objid join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where e.extname = 'hypopg' and p.proname in ('hypopg_create_index', 'hypopg_reset')
  group by n.nspname having count(distinct p.proname) = 2`

/**
 * Asks the planner what the statements of a missing index would cost with it: HypoPG's indexes are known to one session, and
 * to EXPLAIN alone. The evidence says the costs; an index that the planner would not use is no advice. Where the extension is
 * not there, the evidence says so. `client` is a session that can change nothing.
 */
export async function checkByPlanner(
  client: Client,
  findings: readonly Finding[],
  statements: readonly ScannedStatement[],
  clock: Clock,
): Promise<Finding[]> {
  if (!findings.some((finding) => finding.rule === rule)) return [...findings]
  const { rows } = await client.query<{ schema: string }>(schemaSql)
  const schema = rows[0]?.schema
  const checked: Finding[] = []
  for (const finding of findings) {
    if (finding.rule !== rule || finding.content.sql === null) {
      checked.push(finding)
      continue
    }
    const about = statements.filter(({ queryId }) => finding.content.queryIds.includes(queryId))
    const value =
      schema === undefined
        ? 'not asked: the extension hypopg is not in this database'
        : // oxlint-disable-next-line no-await-in-loop -- one session
          await costsWith(client, { schema, index: finding.content.sql }, about, clock)
    if (value === undefined) continue
    const evidence = [...finding.content.evidence, { label, value }]
    checked.push({ ...finding, content: { ...finding.content, evidence } })
  }
  return checked
}

/** The costs of the statement that gains most; undefined where none would use the index. */
async function costsWith(
  client: Client,
  { schema, index }: { schema: string; index: string },
  statements: readonly ScannedStatement[],
  clock: Clock,
): Promise<string | undefined> {
  const costs = async () => {
    const found: (number | undefined)[] = []
    for (const { text } of statements) {
      // oxlint-disable-next-line no-await-in-loop -- one session
      found.push(await costOf(client, text, clock))
    }
    return found
  }
  const before = await costs()
  let after: (number | undefined)[]
  try {
    await client.query(`select ${schema}.hypopg_create_index($1)`, [
      index.replace('CONCURRENTLY ', '').replace(/;$/, ''),
    ])
    after = await costs()
  } catch (error) {
    return `not known: hypopg answers "${error instanceof Error ? error.message : String(error)}"`
  } finally {
    await client.query(`select ${schema}.hypopg_reset()`).catch(() => undefined)
  }
  const pairs = before.flatMap((cost, at) => {
    const withIndex = after[at]
    return cost === undefined || withIndex === undefined || cost === 0 ? [] : [{ cost, withIndex }]
  })
  const best = pairs.toSorted((a, b) => a.withIndex / a.cost - b.withIndex / b.cost)[0]
  if (best === undefined) return 'not known: the statement could not be planned'
  return best.withIndex <= best.cost * worthwhile
    ? `cost ${rounded(best.cost)} → ${rounded(best.withIndex)}`
    : undefined
}

async function costOf(client: Client, statement: string, clock: Clock): Promise<number | undefined> {
  const request = {
    statement: withoutParameters(statement),
    analyze: false,
    isGeneric: true,
    timeoutMs: explainTimeoutMs,
  }
  const { nodes, error } = await explainStatement(client, request, clock)
  await client.query('deallocate all')
  return error === null ? nodes.reduce((total, { selfCost }) => total + selfCost, 0) : undefined
}

const rounded = (cost: number) => (cost < 100 ? cost.toFixed(1) : Math.round(cost).toLocaleString('en'))
