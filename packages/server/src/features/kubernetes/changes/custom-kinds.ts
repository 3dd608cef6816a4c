import type { ResourceInfo } from '@bey/contract'
import { kubernetesPath } from '@bey/contract'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { RecordedResource } from './recorded-resources.ts'
import { mayBeKept, nodeResource, recordedResources } from './recorded-resources.ts'
import type { ObservedCluster } from './row-sources.ts'
import { recordedNames } from './version-store.ts'

/** Custom kinds of one cluster that are recorded; each is a watch. */
const maxKinds = 20

export type CustomKinds = {
  /** Somebody reads objects of a kind. */
  onRead(clusterId: number, info: ResourceInfo): void
  /**
   * Calls `onKind` for each custom kind that is to be recorded: those that were recorded before, those that were read,
   * and those that will be. Answers how to stop.
   */
  follow(cluster: ObservedCluster, onKind: (resource: RecordedResource) => void): () => void
}

/** Which custom resources of the observed clusters are recorded: those that somebody looked at. */
export function createCustomKinds(deps: {
  database: Pick<Database, 'readTenant'>
  /** What a cluster serves by one name. Throws where it serves none, or does not answer. */
  find: (cluster: ObservedCluster, resource: string) => Promise<ResourceInfo>
  log: Log
}): CustomKinds {
  const { database, find, log } = deps
  const fixed = new Set([...recordedResources, nodeResource].map(({ name }) => name))
  type Followed = { kinds: Map<string, RecordedResource>; onKind: (resource: RecordedResource) => void }
  const followed = new Map<number, Followed>()

  function add(of: Followed, info: ResourceInfo): void {
    const isWatchable = info.isCustom && info.verbs.includes('watch') && mayBeKept(info)
    if (!isWatchable || fixed.has(info.resource)) return
    if (of.kinds.has(info.resource) || of.kinds.size >= maxKinds) return
    const { resource: name, kind, isNamespaced } = info
    const recorded = { name, kind, isNamespaced, path: kubernetesPath(info) }
    of.kinds.set(name, recorded)
    of.onKind(recorded)
  }

  async function addKnown(cluster: ObservedCluster, of: Followed): Promise<void> {
    const names = await database.readTenant(cluster.organizationId, (db) => recordedNames(db, cluster.id))
    for (const name of names) {
      if (fixed.has(name) || followed.get(cluster.id) !== of) continue
      try {
        add(of, await find(cluster, name))
      } catch (error) {
        log.debug({ err: error, clusterId: cluster.id, resource: name }, 'A custom kind is recorded no more')
      }
    }
  }

  return {
    onRead(clusterId, info) {
      const of = followed.get(clusterId)
      if (of) add(of, info)
    },
    follow(cluster, onKind) {
      const of = { kinds: new Map<string, RecordedResource>(), onKind }
      followed.set(cluster.id, of)
      addKnown(cluster, of).catch((error: unknown) =>
        log.debug({ err: error, clusterId: cluster.id }, 'Custom kinds that were recorded are not known'),
      )
      return () => {
        if (followed.get(cluster.id) === of) followed.delete(cluster.id)
      }
    },
  }
}
