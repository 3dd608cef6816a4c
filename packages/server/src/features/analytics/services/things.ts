import { type Health, needsAttention, type ServiceName } from '@bey/contract'
import { sql } from 'drizzle-orm'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { AlertHealth } from '../../alerts/attention.ts'
import type { DatabaseHealth } from '../../databases/health.ts'
import type { IngressHealth } from '../../ingress/health.ts'
import type { NetworkHealth } from '../../networks/health.ts'
import { listTroubledRuns } from '../store.ts'

/** Days ahead of its expiry in which a secret needs somebody; before that the list of secrets alone says so. */
const secretEndsDays = 7
const dayMs = 86_400_000

/** Readers of health that features bring. */
export type ServiceHealth = {
  alertHealth: (organizationId: number) => Promise<AlertHealth[]>
  databaseHealth: (organizationId: number) => Promise<DatabaseHealth[]>
  networkHealth: (organizationId: number) => Promise<NetworkHealth[]>
  ingressHealth: (organizationId: number) => Promise<IngressHealth[]>
}

/** How the things of one service are. */
export type ServiceThings = {
  service: ServiceName
  /** Zero: the organization does not use the service. */
  total: number
  failing: number
  degraded: number
  unknown: number
  /** What is wrong, in words; null for nothing. */
  trouble: string | null
}

type ThingsParts = ServiceHealth & { database: Pick<Database, 'readTenant'> }

/** How the things of each service are now, in the order in which services are listed. */
export async function readThings(
  parts: ThingsParts,
  organizationId: number,
  now: Date,
): Promise<ServiceThings[]> {
  const [databases, networks, ingress, alerts, rows] = await Promise.all([
    parts.databaseHealth(organizationId),
    parts.networkHealth(organizationId),
    parts.ingressHealth(organizationId),
    parts.alertHealth(organizationId),
    parts.database.readTenant(organizationId, async (db) => ({
      counts: await countThings(db, organizationId, now),
      troubled: await listTroubledRuns(db, organizationId, new Date(now.getTime() - dayMs)),
    })),
  ])
  const { counts, troubled } = rows
  const failedWorkflows = new Set(troubled.map(({ workflowId }) => workflowId)).size
  const secrets = {
    service: 'secrets' as const,
    total: counts.secrets,
    failing: counts.expired,
    degraded: counts.ending + counts.unrotated,
    unknown: 0,
  }
  return [
    {
      service: 'workflows',
      total: counts.workflows,
      failing: 0,
      degraded: failedWorkflows,
      unknown: 0,
      trouble: failedWorkflows === 0 ? null : `${failedWorkflows} of ${counts.workflows} failed last`,
    },
    counted('databases', databases),
    counted('networks', networks),
    { ...counted('ingress', ingress), total: Math.max(ingress.length, counts.clusters) },
    {
      ...secrets,
      trouble: joined([
        counts.expired > 0 && `${counts.expired} expired`,
        counts.ending > 0 &&
          `${counts.ending} ${counts.ending === 1 ? 'expires' : 'expire'} within ${secretEndsDays} days`,
        counts.unrotated > 0 && `${counts.unrotated} not rotated`,
      ]),
    },
    { ...counted('alerts', alerts), total: counts.alerts },
  ]
}

function counted(service: ServiceName, things: readonly { health: Health }[]): ServiceThings {
  const of = (state: Health['state']) => things.filter(({ health }) => health.state === state).length
  const [failing, degraded, unknown] = [of('failing'), of('degraded'), of('unknown')]
  const words = service === 'alerts' ? alertWords : healthWords
  return {
    service,
    total: things.length,
    failing,
    degraded,
    unknown,
    trouble: joined([
      failing > 0 && `${failing} ${words.failing}`,
      degraded > 0 && `${degraded} ${words.degraded}`,
      unknown > 0 && things.some(({ health }) => needsAttention(health)) && `${unknown} ${words.unknown}`,
    ]),
  }
}

const healthWords = { failing: 'failing', degraded: 'degraded', unknown: 'not reachable' }
const alertWords = { failing: 'critical', degraded: 'firing', unknown: 'without data' }

function joined(parts: readonly (string | false)[]): string | null {
  const words = parts.filter((part) => part !== false)
  return words.length === 0 ? null : words.join(', ')
}

type Counts = Record<
  'workflows' | 'secrets' | 'expired' | 'ending' | 'unrotated' | 'alerts' | 'clusters',
  number
>

async function countThings(db: Db, organizationId: number, now: Date): Promise<Counts> {
  const [at, soon] = [now.toISOString(), new Date(now.getTime() + secretEndsDays * dayMs).toISOString()]
  const { rows } = await db.execute<Counts>(sql`
    select
      (select count(*)::int from workflows where organization_id = ${organizationId} and deleted_at is null) as workflows,
      (select count(*)::int from alerts where organization_id = ${organizationId} and is_enabled) as alerts,
      (select count(*)::int from clusters where organization_id = ${organizationId} and deleted_at is null) as clusters,
      s.*
    from (
      select count(*)::int as secrets,
        count(*) filter (where expires_at <= ${at})::int as expired,
        count(*) filter (where expires_at > ${at} and expires_at <= ${soon})::int as ending,
        count(*) filter (where rotation_failure is not null)::int as unrotated
      from secrets where organization_id = ${organizationId} and status = 'active'
    ) s`)
  const [row] = rows
  if (row === undefined) throw new Error('A count of things has no row')
  return row
}
