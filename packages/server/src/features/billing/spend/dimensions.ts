import type { ParsedInput } from '@bey/contract'
import { usageMeterNames, usageMeters } from '@bey/contract/billing/usage-meters'
import { type SQL, sql } from 'drizzle-orm'

/** What spend and ledger are limited to; see the contract. */
export type Filters = Pick<
  ParsedInput<'billing.spend'>['query'],
  'service' | 'meter' | 'cluster' | 'namespace' | 'workload' | 'resource' | 'owner' | 'person' | 'label'
>

/** The subject of a line `l` is `s`; the shared cost of a cluster has none. */
const keys = {
  service: sql`m.service`,
  meter: sql`l.meter`,
  cluster: sql`l.cluster_id::text`,
  namespace: sql`s.namespace`,
  workload: sql`s.namespace || '/' || s.workload`,
  resource: sql`s.resource_id`,
  owner: sql`s.owner_id::text`,
  person: sql`s.person_id::text`,
} satisfies Record<string, SQL>

const ofWorkloads = ['namespace', 'workload', 'owner', 'label'] as const

/** Whether the cost of nodes has to be split over the workloads that run on them. */
export function needsWorkloads(by: string, filters: Filters): boolean {
  return (
    ofWorkloads.some((name) => filters[name] !== undefined || by === name) ||
    by.startsWith('label:') ||
    by === 'workload-cause'
  )
}

/** What lines are added up by, as text; null where a line has none. */
export function keyOf(by: string): SQL {
  const label = by.startsWith('label:') ? by.slice('label:'.length) : undefined
  if (label !== undefined) return sharedOr(sql`s.labels ->> ${label}::text`)
  if (by === 'cause') {
    return sql`case when l.meter = 'node_hours' then 'cluster:' || l.cluster_id::text
      when s.resource_id is not null then 'resource:' || l.meter || ':' || s.resource_id else 'meter:' || l.meter end`
  }
  if (by === 'workload-cause') {
    return sql`case when l.is_shared then 'idle' when s.workload is not null then 'workload:' || s.namespace || '/' || s.workload
      when s.resource_id is not null then 'resource:' || l.meter || ':' || s.resource_id else 'meter:' || l.meter end`
  }
  // Checked by the contract.
  const key = keys[by as keyof typeof keys]
  return by === 'namespace' || by === 'workload' || by === 'owner' ? sharedOr(key) : key
}

const sharedOr = (key: SQL) => sql`case when l.is_shared then 'idle' else ${key} end`

/** Which lines `l` with their subjects `s` match all filters. */
export function matching(filters: Filters): SQL {
  const conditions = Object.entries(filters).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (name === 'label') {
      const [key = '', ...rest] = value.split(':')
      const wanted = rest.join(':')
      if (wanted === 'none') return [sql`(not l.is_shared and s.labels ->> ${key}::text is null)`]
      if (wanted === 'idle') return [sql`l.is_shared`]
      return [sql`s.labels ->> ${key}::text = ${wanted}`]
    }
    const key = keyOf(name)
    return [value === 'none' ? sql`(${key}) is null` : sql`(${key}) = ${value}::text`]
  })
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** The service of each meter, as a relation `m (meter, service)`. */
export const servicesOfMeters = sql`unnest(${sql.param(usageMeterNames)}::text[],
  ${sql.param(usageMeterNames.map((name) => usageMeters[name].service))}::text[]) m (meter, service)`
