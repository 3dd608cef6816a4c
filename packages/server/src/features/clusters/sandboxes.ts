import type { Fault, SandboxUsage } from '@bey/contract'
import { and, eq, isNull } from 'drizzle-orm'

import { entryOf, type Who } from '../../platform/act.ts'
import { auditRow, insertAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { clusters } from '../../tables/clusters.ts'
import type { Connections } from './connections.ts'
import type { ClusterConnection, ClusterProvider } from './provider.ts'
import type { Clusters } from './service.ts'

const mostListed = 20

type Options = {
  database: Database
  clusters: Pick<Clusters, 'get' | 'connect'>
  connections: Pick<Connections, 'live'>
  provider: ClusterProvider
}

/** The sandboxes of this machine, and what is broken in them on purpose. */
export function createSandboxes({ database, clusters: service, connections, provider }: Options) {
  async function usageOf(organizationId: number, clusterId: number): Promise<SandboxUsage | null> {
    const live = await database.readTenant(organizationId, (db) =>
      connections.live(db, organizationId, clusterId),
    )
    if (live === null || provider.usage === undefined) return null
    // One that is silent is shown without figures; its reachability says why.
    return provider.usage(live).catch(() => null)
  }

  /** The port of a cluster's faults. Throws AppError for a cluster that is none of the organization's sandboxes. */
  async function faultsOf(organizationId: number, clusterId: number) {
    const { provider: kind, title } = await service.get(organizationId, clusterId)
    const { faults } = provider
    if (kind !== provider.id || faults === undefined)
      throw new AppError(
        'conflict',
        `The cluster "${title}" is not a sandbox, so nothing is broken in it on purpose.`,
      )
    const connection = await service.connect(organizationId, clusterId)
    return { title, faults, connection }
  }

  async function list(
    faults: NonNullable<ClusterProvider['faults']>,
    connection: ClusterConnection,
    title: string,
  ) {
    try {
      return await faults.list(connection)
    } catch (error) {
      throw unreachable(title, error)
    }
  }

  async function change(
    organizationId: number,
    clusterId: number,
    faultId: string,
    act: 'apply' | 'end',
    who: Who,
  ): Promise<{ faults: Fault[] }> {
    const { title, faults, connection } = await faultsOf(organizationId, clusterId)
    const known = (await list(faults, connection, title)).find((each) => each.id === faultId)
    if (known === undefined) throw new AppError('not_found', 'There is no such fault.')
    const entry = entryOf(who, {
      action: act === 'apply' ? 'fault.apply' : 'fault.end',
      class: 'execute',
      target: { type: 'cluster', id: clusterId, name: title },
      diff: { fault: faultId },
    })
    // Before the act: what cannot be recorded does not happen.
    const intent = auditRow({ ...entry, outcome: 'unknown' })
    await database.withTenant(organizationId, (db) => insertAudit(db, [intent]))
    const done = await faults[act](connection, faultId).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
    const outcome = 'error' in done ? 'failure' : 'success'
    const completed = auditRow({ ...entry, outcome, intentId: intent.id })
    await database.withTenant(organizationId, (db) => insertAudit(db, [completed]))
    if ('error' in done) throw unreachable(title, done.error)
    return { faults: done.result }
  }

  return {
    async list(organizationId: number) {
      const [capacity, machine] = await Promise.all([provider.capacity?.(), provider.machineUsage?.()])
      if (capacity === undefined || machine === undefined)
        throw new AppError('not_found', 'This server has no sandboxes.')
      const rows = await database.readTenant(organizationId, (db) =>
        db
          .select({
            clusterId: clusters.id,
            title: clusters.title,
            status: clusters.status,
            restartedAt: clusters.restartedAt,
            restartReason: clusters.restartReason,
          })
          .from(clusters)
          .where(
            and(
              eq(clusters.organizationId, organizationId),
              eq(clusters.provider, provider.id),
              isNull(clusters.deletedAt),
            ),
          )
          .orderBy(clusters.title)
          .limit(mostListed),
      )
      const sandboxes = await Promise.all(
        rows.map(async ({ restartedAt, restartReason, ...row }) => ({
          ...row,
          usage: row.status === 'RUNNING' ? await usageOf(organizationId, row.clusterId) : null,
          lastRestart:
            restartedAt === null ? null : { at: restartedAt.toISOString(), reason: restartReason ?? '' },
        })),
      )
      return { machine: { ...capacity, ...machine }, sandboxes }
    },

    async faults(organizationId: number, clusterId: number): Promise<{ faults: Fault[] }> {
      const { title, faults, connection } = await faultsOf(organizationId, clusterId)
      return { faults: await list(faults, connection, title) }
    },

    change,
  }
}

export type Sandboxes = ReturnType<typeof createSandboxes>

function unreachable(title: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AppError('cluster_unreachable', `The sandbox "${title}" did not do it: ${why}`, { cause })
}
