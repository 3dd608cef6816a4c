import { isConfigResource, type ObjectUsers } from '@bey/contract'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KindName } from '../watch/kinds.ts'
import type { PrintedColumn } from '../watch/list-format.ts'
import type { PodReads } from '../watch/pod-reads.ts'
import type { RowEntry } from '../watch/row-entry.ts'
import { byText } from '../watch/table.ts'

/** In the order in which a user of several kinds is named: a workload before the pods that it made. */
const workloads = {
  deployments: 'Deployment',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  cronjobs: 'CronJob',
  // Older revisions, to which a deployment can be rolled back.
  replicasets: 'ReplicaSet',
  jobs: 'Job',
  pods: 'Pod',
} as const satisfies Partial<Record<KindName, string>>
const workloadKinds = Object.keys(workloads) as (keyof typeof workloads)[]
const ingresses = 'ingresses.networking.k8s.io'
const gateways = 'gateways.gateway.networking.k8s.io'
const needed = [...workloadKinds, ingresses, gateways] as const

/** Secrets that something other than pods and ingresses uses: Kubernetes, kubelets that pull images, Helm. */
const usedElsewhere =
  /^(kubernetes\.io\/(service-account-token|dockercfg|dockerconfigjson)|bootstrap\.kubernetes\.io\/token|helm\.sh\/)/
/** Every pod has it, and nothing names it. */
const rootCertificate = 'kube-root-ca.crt'

/** By how many name it, what is not known last in either order. */
export function byUsers(
  a: ObjectUsers | null,
  b: ObjectUsers | null,
  order: 'asc' | 'desc' | undefined,
): number {
  const unknown = order === 'desc' ? -1 : Number.MAX_SAFE_INTEGER
  return (a?.total ?? unknown) - (b?.total ?? unknown)
}

type Users = Map<string, { kind: string; name: string }[]>

/**
 * Reads what names each config map or secret of a cluster. Null for rows of another resource, for what something else uses
 * than what is looked at, and as long as a part of that is not known: nothing is called unused because it was not read.
 */
export async function readConfigUsers(
  resource: string,
  columns: readonly PrintedColumn[],
  read: (kinds: readonly KindName[]) => Promise<ClusterCache | undefined>,
): Promise<(row: RowEntry) => ObjectUsers | null> {
  if (!isConfigResource(resource)) return () => null
  const cached = await read(needed)
  if (!cached) return () => null
  const isUnknown =
    cached.isPartial(needed) ||
    // A cluster without the Gateway API has no gateways.
    cached.failures(needed).some(({ kind, isRefused }) => kind !== gateways || isRefused)
  const users = isUnknown ? undefined : cachedUsers(resource, cached)
  if (users === undefined) return () => null
  const type = columns.findIndex(({ name }) => name.toLowerCase() === 'type')
  return ({ namespace, name, cells }) => {
    if (resource === 'configmaps' ? name === rootCertificate : usedElsewhere.test(String(cells[type] ?? '')))
      return null
    const found = users.get(`${namespace}/${name}`) ?? []
    return { total: found.length, first: found.slice(0, 3) }
  }
}

const kept = new WeakMap<ClusterCache, Map<string, { version: number; users: Users | undefined }>>()

/** The same until something of the cluster changes that it is made of. */
function cachedUsers(resource: string, cached: ClusterCache): Users | undefined {
  const version = cached.version(needed)
  const byResource = kept.get(cached) ?? new Map<string, { version: number; users: Users | undefined }>()
  kept.set(cached, byResource)
  const known = byResource.get(resource)
  if (known?.version === version) return known.users
  const users = usersOf(resource, cached)
  byResource.set(resource, { version, users })
  return users
}

/**
 * Users by `namespace/name` of what they name, each list by kind and name. Undefined where a list that an earlier version of
 * Bey kept lacks what this reads.
 */
function usersOf(resource: string, cached: Pick<ClusterCache, 'table'>): Users | undefined {
  /** As `Deployment/web`, which is how owners are named. */
  const named = new Map<string, Set<string>>()
  const add = (key: string, user: string) => {
    const known = named.get(key) ?? new Set()
    named.set(key, known.add(user))
  }
  const namesOf = ({ configMaps, secrets }: PodReads) => (resource === 'configmaps' ? configMaps : secrets)
  const owners = new Map<string, string | null>()
  for (const kind of ['replicasets', 'jobs'] as const)
    for (const { namespace, name, owner } of cached.table(kind).values())
      owners.set(`${namespace}/${workloads[kind]}/${name}`, owner)
  /** Whether an owner such as `ReplicaSet/web-5d9`, or what owns that, is among the users already. */
  const isNamed = (key: string, namespace: string, owner: string | null | undefined): boolean =>
    typeof owner === 'string' &&
    (named.get(key)?.has(owner) === true || isNamed(key, namespace, owners.get(`${namespace}/${owner}`)))
  for (const kind of workloadKinds) {
    for (const each of cached.table(kind).values()) {
      if (each.reads === undefined) return undefined
      for (const name of each.reads ? namesOf(each.reads) : []) {
        const key = `${each.namespace}/${name}`
        // What made it says the same in its template, unless that changed since.
        if (!isNamed(key, each.namespace, 'owner' in each ? each.owner : null))
          add(key, `${workloads[kind]}/${each.name}`)
      }
    }
  }
  if (resource === 'secrets') {
    for (const { namespace, name, tls } of cached.table(ingresses).values())
      for (const { secretName } of tls) if (secretName) add(`${namespace}/${secretName}`, `Ingress/${name}`)
    for (const { name, listeners } of cached.table(gateways).values())
      for (const { certificates } of listeners)
        for (const secret of certificates) add(`${secret.namespace}/${secret.name}`, `Gateway/${name}`)
  }
  return new Map(
    [...named].map(([key, users]) => [
      key,
      [...users].toSorted(byText).map((user) => {
        const [kind = '', name = ''] = user.split('/')
        return { kind, name }
      }),
    ]),
  )
}
