import { objectResourceId, type Relation, type RelationVerb } from '@bey/contract'
import { labelTest } from '@bey/contract/reachability/label-selector'
import type { ClusterCache } from './watch/cluster-cache.ts'
import type { Labels, PodEntry } from './watch/entries.ts'
import type { KindName } from './watch/kinds.ts'

/** What relations are derived from. */
export const relationKinds: readonly KindName[] = [
  'pods',
  'replicasets',
  'jobs',
  'services',
  'policies',
  'ingresses.networking.k8s.io',
]

const kindOfOwner: Readonly<Record<string, string>> = {
  Deployment: 'deployment',
  StatefulSet: 'statefulset',
  DaemonSet: 'daemonset',
  Job: 'job',
}

/** Pods with the same labels and the same owner: selectors are tested once for all of them. */
type PodGroup = { namespace: string; labels: Labels; id: string }

/** Relations between the objects of one cluster, as its watch caches have them. Plain data: nothing asks the cluster. */
export function clusterRelations(cached: Pick<ClusterCache, 'clusterId' | 'table' | 'holds'>): Relation[] {
  const { clusterId } = cached
  const relations: Relation[] = []
  const idOf = (kind: string, namespace: string, name: string) =>
    objectResourceId({ kind, clusterId, namespace, name })
  const add = (from: string, verb: RelationVerb, to: string) => relations.push({ from, to, verb })

  const deploymentOf = new Map<string, string>()
  for (const { namespace, name, owner } of cached.table('replicasets').values()) {
    const [kind, ownerName] = splitOwner(owner)
    if (kind === 'Deployment') deploymentOf.set(`${namespace}/${name}`, ownerName)
  }
  for (const { namespace, name, owner } of cached.table('jobs').values()) {
    const [kind, ownerName] = splitOwner(owner)
    if (kind === 'CronJob')
      add(idOf('job', namespace, name), 'started_by', idOf('cronjob', namespace, ownerName))
  }

  const groups = new Map<string, Map<Labels, PodGroup[]>>()
  for (const pod of cached.table('pods').values()) {
    const { namespace, name, labels, isTerminal } = pod
    const id = idOf('pod', namespace, name)
    const owner = ownerOf(pod, deploymentOf, idOf)
    if (owner !== undefined) add(id, 'owned_by', owner)
    if (isTerminal) continue
    if (pod.node !== null) add(id, 'runs_on', idOf('node', '', pod.node))
    for (const claim of pod.claims) add(id, 'mounts', idOf('volumeclaim', namespace, claim))
    for (const config of pod.reads?.configMaps ?? []) add(id, 'mounts', idOf('configmap', namespace, config))
    for (const secret of pod.reads?.secrets ?? []) add(id, 'mounts', idOf('k8s-secret', namespace, secret))
    // Selectors meet the workload where there is one, so that 100 replicas are one edge.
    addGroup(groups, { namespace, labels, id: owner ?? id })
  }
  const selected = (namespace: string, test: (labels: Labels) => boolean): Set<string> => {
    const ids = new Set<string>()
    for (const [labels, members] of groups.get(namespace) ?? [])
      if (test(labels)) for (const { id } of members) ids.add(id)
    return ids
  }

  for (const { namespace, name, network } of cached.table('services').values()) {
    const { selector } = network
    // A service without a selector has endpoints that somebody else writes.
    if (!selector || Object.keys(selector).length === 0) continue
    for (const to of selected(namespace, labelTest({ matchLabels: selector })))
      add(idOf('service', namespace, name), 'routes_to', to)
  }
  for (const { namespace, name, spec } of cached.table('policies').values()) {
    for (const from of selected(namespace, labelTest(spec.podSelector ?? {})))
      add(from, 'allowed_by', idOf('networkpolicy', namespace, name))
  }
  for (const { namespace, name, rules, tls } of cached.table('ingresses.networking.k8s.io').values()) {
    const from = idOf('ingress', namespace, name)
    for (const { paths } of rules)
      for (const { backends } of paths)
        for (const backend of backends)
          if (backend.kind === 'Service')
            add(from, 'routes_to', idOf('service', backend.namespace, backend.name))
    for (const { secretName } of tls)
      if (secretName !== null) add(from, 'reads_secret', idOf('k8s-secret', namespace, secretName))
  }
  return relations
}

function addGroup(groups: Map<string, Map<Labels, PodGroup[]>>, group: PodGroup): void {
  const ofNamespace = groups.get(group.namespace) ?? new Map<Labels, PodGroup[]>()
  groups.set(group.namespace, ofNamespace)
  const members = ofNamespace.get(group.labels)
  if (!members) ofNamespace.set(group.labels, [group])
  else if (members.at(-1)?.id !== group.id) members.push(group)
}

function splitOwner(owner: string | null): [kind: string, name: string] {
  const [kind = '', name = ''] = owner?.split('/') ?? []
  return [kind, name]
}

/** Replica sets are left out: a pod belongs to the deployment above. */
function ownerOf(
  { namespace, owner }: PodEntry,
  deploymentOf: ReadonlyMap<string, string>,
  idOf: (kind: string, namespace: string, name: string) => string,
): string | undefined {
  const [kind, name] = splitOwner(owner)
  if (kind === 'ReplicaSet') {
    const deployment = deploymentOf.get(`${namespace}/${name}`)
    return deployment === undefined ? undefined : idOf('deployment', namespace, deployment)
  }
  const known = kindOfOwner[kind]
  return known === undefined ? undefined : idOf(known, namespace, name)
}
