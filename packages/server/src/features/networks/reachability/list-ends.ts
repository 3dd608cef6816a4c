import type { CallOutput } from '@bey/contract'
import type { CompiledPolicies } from '@bey/contract/reachability/compile'
import { endpointName } from '@bey/contract/reachability/endpoint-name'
import { columnsOf, groupPods } from '@bey/contract/reachability/group'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { databases } from '../../../tables/databases.ts'
import { presentGroup } from './present.ts'
import { ingresses } from './named-ends.ts'
import type { ReachabilityNeeds } from './read-policies.ts'

type ListedEnd = CallOutput<'networks.reachability.ends'>['ends'][number]

const byName = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** Namespaces, workloads and services of a cluster, as they were read. */
export function endsOfCluster(compiled: CompiledPolicies): ListedEnd[] {
  const { snapshot } = compiled
  const workloads = groupPods(compiled, 'workload')
  const ports = new Map<string, number>()
  for (const { group, port } of columnsOf(compiled, workloads))
    if (port.port > 0 && !ports.has(group.id)) ports.set(group.id, port.port)
  return [
    ...workloads.map((group) => ({
      ...presentGroup(group),
      kind: 'workload' as const,
      port: ports.get(group.id) ?? null,
    })),
    ...snapshot.services
      .map(({ namespace, name, ports: [first] }) => ({
        id: endpointName({ kind: 'service', namespace, name }),
        kind: 'service' as const,
        name,
        namespace,
        port: first?.port ?? null,
      }))
      .toSorted(byName),
    ...snapshot.namespaces
      .map(({ name }) => ({
        id: endpointName({ kind: 'namespace', name }),
        kind: 'namespace' as const,
        name,
        namespace: null,
        port: null,
      }))
      .toSorted(byName),
  ]
}

/** Ingresses of a cluster; none where they cannot be read. */
export async function listIngressEnds(
  { clusters, cache }: ReachabilityNeeds,
  organizationId: number,
  clusterId: number,
): Promise<ListedEnd[]> {
  const cached = await cache.read(await clusters.getRunning(organizationId, clusterId), [ingresses])
  return [...cached.table(ingresses).values()]
    .map(({ namespace, name }) => ({
      id: endpointName({ kind: 'ingress', namespace, name }),
      kind: 'ingress' as const,
      name,
      namespace,
      port: null,
    }))
    .toSorted(byName)
}

/** Databases of an organization, which every one of its clusters may call. */
export async function listDatabaseEnds(
  { database }: ReachabilityNeeds,
  organizationId: number,
  limit: number,
): Promise<ListedEnd[]> {
  const rows = await database.readTenant(organizationId, (db) =>
    db
      .select({ id: databases.id, name: databases.name, port: databases.port })
      .from(databases)
      .where(and(eq(databases.organizationId, organizationId), isNull(databases.deletedAt)))
      .orderBy(asc(databases.name))
      .limit(limit),
  )
  return rows.map(({ id, name, port }) => ({
    id: endpointName({ kind: 'database', id }),
    kind: 'database',
    name,
    namespace: null,
    port: port ?? 5432,
  }))
}
