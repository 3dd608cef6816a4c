import { and, eq, isNull, or } from 'drizzle-orm'
import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { clusters } from '../../../../tables/clusters.ts'
import { audited } from '../audited.ts'
import type { ClusterApi, KubeCallOptions, KubeReply, StepParts } from '../ports.ts'
import { actorOf } from '../run-actor.ts'
import type { ActionContext } from '../step-type.ts'

/** A cluster as a config names it. */
export const clusterField = z.union([z.number().int().positive(), z.string().min(1).max(200)]).meta({
  title: 'Cluster',
  description: 'Name or id of the cluster.',
  'x-widget': 'cluster',
})

export const namespaceField = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'Not the name of a namespace.')
  .max(63)

/** Name of an object, as the API of Kubernetes takes it in a path. */
export const objectName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9]([-A-Za-z0-9._:]*[A-Za-z0-9])?$/, 'Not the name of an object.')

type Change = {
  /** E.g. `kubernetes.apply`. */
  action: string
  class: 'create' | 'update' | 'delete' | 'execute'
  diff: Record<string, unknown>
}

/** One cluster in the name of the person who started the run. */
export type ClusterSession = Pick<ClusterApi, 'lines' | 'drainNode'> & {
  clusterId: number
  /** Answers whatever the status is. */
  call(method: Parameters<ClusterApi['call']>[0], path: string, options?: KubeCallOptions): Promise<KubeReply>
  /** Acts after the intent is in the audit trail. */
  audited<T>(change: Change, work: () => Promise<T>): Promise<T>
}

/** Opens a cluster by its id or name. Throws StepFailure where it does not exist, is not running, or may not be used. */
export async function openSession(
  { database, kubernetes }: Pick<StepParts, 'database' | 'kubernetes'>,
  context: ActionContext,
  cluster: number | string,
  permission: 'kubernetes.read' | 'kubernetes.write' | 'kubernetes.delete' = 'kubernetes.write',
): Promise<ClusterSession> {
  const { run, signal } = context
  const found = await findByName(database, run.organizationId, cluster)
  const actor = await actorOf(database, run, permission, [{ type: 'cluster', id: String(found.id) }])
  const api = await kubernetes.open(run.organizationId, found.id, {
    email: actor.user.email,
    role: actor.role,
  })
  return {
    clusterId: found.id,
    lines: api.lines,
    drainNode: api.drainNode,
    call: (method, path, options) => api.call(method, path, { signal, ...options }),
    audited: ({ diff, ...act }, work) =>
      audited(
        database,
        run,
        actor,
        { ...act, target: { type: 'cluster', id: found.id, name: found.title }, diff },
        context.mask,
        work,
      ),
  }
}

/** A cluster that is not deleted; a text of digits is an id unless a cluster has it as its name. */
export async function findByName(
  database: StepParts['database'],
  organizationId: number,
  cluster: number | string,
): Promise<{ id: number; title: string }> {
  const id = /^\d{1,9}$/.test(String(cluster)) ? Number(cluster) : undefined
  const rows = await database.readTenant(organizationId, (db) =>
    db
      .select({ id: clusters.id, title: clusters.title })
      .from(clusters)
      .where(
        and(
          eq(clusters.organizationId, organizationId),
          isNull(clusters.deletedAt),
          or(eq(clusters.title, String(cluster)), id === undefined ? undefined : eq(clusters.id, id)),
        ),
      )
      .limit(2),
  )
  const found = rows.find(({ title }) => title === String(cluster)) ?? rows[0]
  if (found !== undefined) return found
  throw new StepFailure(`There is no cluster "${cluster}" in this organization.`)
}

/** Throws StepFailure with the cluster's own reason unless the status is one of the expected ones. */
export function expectStatus(reply: KubeReply, statuses: readonly number[], what: string): void {
  const { status } = reply
  if (statuses.includes(status)) return
  const reason = status === 429 ? 'rate_limited' : status >= 500 ? 'server_error' : 'error'
  throw new StepFailure(`${what}: ${reasonOf(reply)}`, { reason })
}

function reasonOf({ status, body }: KubeReply): string {
  const { message, details } = body as {
    message?: string
    details?: { causes?: { field?: string; message?: string }[] }
  }
  const causes = (details?.causes ?? []).slice(0, 5).map(({ message: text }) => text ?? '')
  const unnamed = causes.some((cause) => message?.includes(cause)) ? [] : causes
  return [message ?? `the cluster answered with status ${status}.`, ...unnamed].join(' ')
}
