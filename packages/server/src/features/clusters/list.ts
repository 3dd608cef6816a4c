import type { ClusterProviderId, ClusterStatus, HealthState, NodeGroup } from '@bey/contract'

import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import { exactTotal, type Total, totalOf } from '../../platform/db/totals.ts'
import { containing } from '../../platform/db/like.ts'
import {
  healthRankSql,
  healthStateSql,
  observedHealth,
  type ObservedHealthColumn,
} from '../../tables/observed-health.ts'

export type ClusterFilter = {
  page: number
  limit: number
  order?: 'asc' | 'desc' | undefined
  sort: 'title' | 'status' | 'health' | 'createdAt'
  search?: string | undefined
  status?: ClusterStatus | undefined
  health?: HealthState | undefined
  /** Only these; undefined: all. */
  ids?: readonly string[] | undefined
}

/** A row of the list. Times are PostgreSQL's texts: a list is the hot path, and dates cost more than the rest. */
export type ClusterListRow = {
  id: number
  organizationId: number
  title: string
  description: string
  labels: Record<string, string>
  status: ClusterStatus
  pendingOperations: number
  provider: ClusterProviderId
  region: string | null
  version: string | null
  nodeGroups: NodeGroup[]
  error: string | null
  reachability: 'unknown' | 'reachable' | 'unreachable'
  reachabilitySince: string | null
  reachabilityReason: string | null
  replacedAt: string | null
  restartedAt: string | null
  restartReason: string | null
  isVerified: boolean
  observed: ObservedHealthColumn
  lastRunId: string | null
  lastWorkflowId: string | null
  createdBy: number | null
  createdByName: string | null
  createdByEmail: string | null
  createdAt: string
  updatedAt: string
}

const columns = `c.id, c.organization_id as "organizationId", c.title, c.description, c.labels, c.status,
  c.pending_operations as "pendingOperations", c.provider, c.region, c.version, c.node_groups as "nodeGroups",
  c.error, c.reachability, c.reachability_since::text as "reachabilitySince",
  c.reachability_reason as "reachabilityReason", c.replaced_at::text as "replacedAt",
  c.restarted_at::text as "restartedAt",
  c.restart_reason as "restartReason",
  coalesce((select (n.imported->>'isVerified')::boolean from cluster_connections n where n.cluster_id = c.id), true) as "isVerified",
  ${observedHealth} as observed, c.last_run_id as "lastRunId",
  r.workflow_id as "lastWorkflowId", c.created_by as "createdBy", u.name as "createdByName", u.email as "createdByEmail",
  c.created_at::text as "createdAt", c.updated_at::text as "updatedAt"`

/** One row more than a page, if there is one: on the last page the total follows without a count. */
export function clusterPage(
  db: Db,
  organizationId: number,
  filter: ClusterFilter,
): Promise<ClusterListRow[]> {
  const values = [organizationId, filter.limit + 1, (filter.page - 1) * filter.limit]
  return variantOf(filter).page(db, [...values, ...filterValues(filter)])
}

export async function countClusters(db: Db, organizationId: number, filter: ClusterFilter): Promise<Total> {
  const rows = await variantOf(filter).total(db, [organizationId, ...filterValues(filter)])
  return totalOf(rows[0]?.total ?? 0)
}

function filterValues({ status, health, search, ids }: ClusterFilter): string[] {
  return [
    ...(status === undefined ? [] : [status]),
    ...(health === undefined ? [] : [health]),
    ...(search ? [containing(search)] : []),
    ...(ids ? [`{${ids.map(Number).join(',')}}`] : []),
  ]
}

const variants = new Map<string, ReturnType<typeof prepareVariant>>()

/** The statements for one way of sorting and filtering, with a name each, so that they are planned once. */
function variantOf(filter: ClusterFilter): ReturnType<typeof prepareVariant> {
  const order = filter.order ?? (filter.sort === 'createdAt' ? 'desc' : 'asc')
  const kept = [
    filter.status === 'DELETED' ? 'deleted' : 'live',
    ...(filter.status === undefined ? [] : ['status']),
    ...(filter.health === undefined ? [] : ['health']),
    ...(filter.search ? ['search'] : []),
    ...(filter.ids ? ['ids'] : []),
  ]
  const name = `clusters_${filter.sort}_${order}_${kept.join('_')}`
  const known = variants.get(name)
  if (known !== undefined) return known
  const made = prepareVariant(name, filter, order)
  variants.set(name, made)
  return made
}

const sortColumns = { title: 'c.title', status: 'c.status', health: healthRankSql, createdAt: 'c.created_at' }

function prepareVariant(name: string, filter: ClusterFilter, order: 'asc' | 'desc') {
  const column = sortColumns[filter.sort]
  return {
    page: statement<ClusterListRow>(
      name,
      `select ${columns}
from clusters c
left join users u on u.id = c.created_by
left join workflow_runs r on r.id = c.last_run_id
left join cluster_health h on h.cluster_id = c.id
where ${whereOf(filter, 4)}
order by ${column} ${order}, c.id ${order}
limit $2 offset $3`,
    ),
    total: statement<{ total: number }>(
      `${name}_total`,
      `select count(*)::int as total
from (select 1 from clusters c ${filter.health === undefined ? '' : 'left join cluster_health h on h.cluster_id = c.id '}where ${whereOf(filter, 2)} limit ${exactTotal + 1}) counted`,
    ),
  }
}

/** `first` is the number of the first placeholder that is free; `$1` is the organization. */
function whereOf({ status, health, search, ids }: ClusterFilter, first: number): string {
  // Redundant for deleted clusters, but needed so that the planner uses their index.
  const isDeleted = status === 'DELETED' ? 'is not null' : 'is null'
  const conditions = ['c.organization_id = $1', `c.deleted_at ${isDeleted}`]
  let next = first
  if (status !== undefined) conditions.push(`c.status = $${next++}`)
  if (health !== undefined) conditions.push(`${healthStateSql} = $${next++}`)
  if (search) conditions.push(`c.title ilike $${next++}`)
  if (ids) conditions.push(`c.id = any($${next}::int[])`)
  return conditions.join(' and ')
}
