import { sendToCluster } from '../../../data/kubernetes-proxy.ts'
import { isGone } from '../../../lib/kubernetes-error.ts'
import { isFree } from '../yaml/text-problem.ts'

export interface ServedResource {
  group: string
  version: string
  plural: string
  isNamespaced: boolean
}

/** How the cluster serves a kind of a version, by its own discovery; remembers answers for as long as it lives. */
export function createKindFinder(clusterId: number) {
  const known = new Map<string, ServedResource>()
  return async function find(apiVersion: string, kind: string): Promise<ServedResource | undefined> {
    const key = `${apiVersion} ${kind}`
    const before = known.get(key)
    if (before) return before
    try {
      const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
      const list = await sendToCluster(clusterId, { method: 'GET', path })
      for (const served of resourcesOf(list))
        known.set(`${apiVersion} ${served.kind}`, { ...served, ...split(apiVersion) })
    } catch (error) {
      if (!isGone(error)) throw error
    }
    return known.get(key)
  }
}

export type FindKind = ReturnType<typeof createKindFinder>

function resourcesOf(list: unknown): { kind: string; plural: string; isNamespaced: boolean }[] {
  const resources = isFree(list) && Array.isArray(list['resources']) ? list['resources'] : []
  return resources.flatMap((each: unknown) => {
    if (!isFree(each) || typeof each['name'] !== 'string' || typeof each['kind'] !== 'string') return []
    // What has a slash is a part of another resource, such as its status.
    if (each['name'].includes('/')) return []
    return [{ kind: each['kind'], plural: each['name'], isNamespaced: each['namespaced'] === true }]
  })
}

function split(apiVersion: string): { group: string; version: string } {
  const [first = '', second] = apiVersion.split('/')
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}
