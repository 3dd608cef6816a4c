import type { CallOutput } from '@bey/contract'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'

import type { Member } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import { databases } from '../../../tables/databases.ts'
import type { DatabaseParts } from '../parts.ts'
import { asCluster, clustersPath, messageOf, observe } from './cluster-object.ts'
import { drillLabel } from './manifest.ts'
import { mayTouchCluster, openCluster } from './cluster-rights.ts'

type Place = CallOutput<'databases.clusters'>['clusters'][number]
type List = { items?: unknown[] }
type Named = { metadata?: { name?: string; annotations?: Record<string, string> } }

const limits = { clusters: 50, found: 200, namespaces: 500, storageClasses: 100 }
const defaultClass = 'storageclass.kubernetes.io/is-default-class'

/** The connected clusters as places for databases, each as the caller may see it. One that does not answer says why. */
export function createClusterFinder({ database, providers, clock }: DatabaseParts) {
  const { clusters } = providers.cnpg

  async function managed(organizationId: number): Promise<Map<string, string>> {
    const isManaged = and(isNull(databases.deletedAt), isNotNull(databases.cnpg))
    const rows = await database.readTenant(organizationId, (db) =>
      db
        .select({ id: databases.id, clusterId: databases.clusterId, cnpg: databases.cnpg })
        .from(databases)
        .where(and(eq(databases.organizationId, organizationId), isManaged)),
    )
    return new Map(
      rows.map(({ id, clusterId, cnpg }) => [`${clusterId}/${cnpg?.namespace}/${cnpg?.name}`, id]),
    )
  }

  async function look(caller: Member, id: number, title: string, known: Map<string, string>): Promise<Place> {
    const nothing = { id, title, namespaces: [], storageClasses: [], found: [] }
    try {
      const { call } = await openCluster(clusters, caller, id, ['kubernetes.read'])
      const [found, namespaces, classes] = await Promise.all([
        call('GET', `${clustersPath}?limit=${limits.found}`),
        call('GET', `/api/v1/namespaces?limit=${limits.namespaces}`),
        call('GET', `/apis/storage.k8s.io/v1/storageclasses?limit=${limits.storageClasses}`),
      ])
      if (found.status !== 200) return { ...nothing, problem: problemOf(title, found) }
      return {
        id,
        title,
        problem: null,
        namespaces: itemsOf(namespaces).map(nameOf).slice(0, limits.namespaces),
        storageClasses: itemsOf(classes)
          .slice(0, limits.storageClasses)
          .map((each) => ({
            name: nameOf(each),
            isDefault: (each as Named).metadata?.annotations?.[defaultClass] === 'true',
          })),
        found: itemsOf(found)
          .filter((item) => asCluster(item).metadata?.labels?.[drillLabel] === undefined)
          .slice(0, limits.found)
          .map((item) => {
            const object = asCluster(item)
            const { instances, readyInstances, phase, image } = observe(object, clock.now())
            const [namespace, name] = [object.metadata?.namespace ?? '', object.metadata?.name ?? '']
            const databaseId = known.get(`${id}/${namespace}/${name}`) ?? null
            return { namespace, name, instances, readyInstances, phase, image, databaseId }
          }),
      }
    } catch (error) {
      if (error instanceof AppError) return { ...nothing, problem: error.message }
      throw error
    }
  }

  return async (caller: Member): Promise<{ clusters: Place[] }> => {
    const { organizationId } = caller
    const running = await clusters.listRunning(organizationId, limits.clusters)
    const known = await managed(organizationId)
    const usable = running.filter(({ id }) => mayTouchCluster(id))
    return { clusters: await Promise.all(usable.map(({ id, title }) => look(caller, id, title, known))) }
  }
}

const itemsOf = ({ status, body }: { status: number; body: unknown }): unknown[] =>
  status === 200 ? ((body as List).items ?? []) : []

const nameOf = (item: unknown) => (item as Named).metadata?.name ?? ''

function problemOf(title: string, answer: { status: number; body: unknown }): string {
  if (answer.status === 404) {
    return `The cluster "${title}" has no CloudNativePG: the kind Cluster of postgresql.cnpg.io/v1 is missing. Install the operator there first.`
  }
  if (answer.status === 403) {
    return `The cluster "${title}" does not let you list Clusters of CloudNativePG in all namespaces. Whoever administers it can grant that.`
  }
  return `The cluster "${title}" did not answer as expected: ${messageOf(answer)}.`
}
