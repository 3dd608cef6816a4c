import type { PolicyKind } from '@bey/contract/networks/rules'
import { isDeepStrictEqual } from 'node:util'

import { type Cluster, ClusterFailure, refusalOf } from '../../platform/clusters/open-cluster.ts'
import { readItems, readItemsIfServed } from './read-items.ts'
import type { Finding, PlacedPolicy, Spec } from './policy-rows.ts'
import type { WantedPolicy } from './render-policies.ts'

/** The label by which Bey knows a policy as its own; its value is the id of the network. */
const networkLabel = 'bey.dev/network'
const manager = 'bey-networks'

/** Where each kind is served. */
const apis: Readonly<Record<PolicyKind, { groupVersion: string; plural: string }>> = {
  NetworkPolicy: { groupVersion: 'networking.k8s.io/v1', plural: 'networkpolicies' },
  CiliumNetworkPolicy: { groupVersion: 'cilium.io/v2', plural: 'ciliumnetworkpolicies' },
}

type Place = Pick<PlacedPolicy, 'kind' | 'namespace' | 'name'>
const listPath = ({ kind, namespace }: Omit<Place, 'name'>) =>
  `/apis/${apis[kind].groupVersion}/namespaces/${namespace}/${apis[kind].plural}`
const pathOf = (place: Place) => `${listPath(place)}/${place.name}`

/** How a policy is called in sentences: by its place, and by its kind where that is not the usual one. */
export const policyText = ({ kind, namespace, name }: Place) =>
  `${kind === 'NetworkPolicy' ? '' : `${kind} `}${namespace}/${name}`

/** A policy as it is in a cluster. */
export type LivePolicy = {
  kind: PolicyKind
  namespace: string
  name: string
  /** The network that it is labelled with; null for one that Bey does not keep. */
  networkId: string | null
  spec: Spec
  /** The program that wrote it last, by its managed fields; null where it says none. */
  changedBy: string | null
}

type RawPolicy = {
  metadata: {
    name: string
    namespace: string
    uid?: string
    resourceVersion?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    managedFields?: { manager?: string; time?: string }[]
  }
  spec?: Spec
}

/** Policies of a cluster that Bey keeps for a network, of each kind that it serves. Throws ClusterFailure. */
export async function readPolicies(cluster: Cluster, networkId: string): Promise<LivePolicy[]> {
  const selector = encodeURIComponent(`${networkLabel}=${networkId}`)
  const pathOfAll = (kind: PolicyKind) =>
    `/apis/${apis[kind].groupVersion}/${apis[kind].plural}?labelSelector=${selector}`
  const [standard, cilium] = await Promise.all([
    readItems<RawPolicy>(cluster, pathOfAll('NetworkPolicy')),
    readItemsIfServed<RawPolicy>(cluster, pathOfAll('CiliumNetworkPolicy')),
  ])
  return [
    ...standard.map((each) => livePolicy('NetworkPolicy', each)),
    ...cilium.map((each) => livePolicy('CiliumNetworkPolicy', each)),
  ]
}

/** A policy by its place, whoever wrote it; undefined where there is none. Throws ClusterFailure. */
export async function findPolicy(cluster: Cluster, place: Place): Promise<LivePolicy | undefined> {
  const live = await readPolicy(cluster, place)
  return live && livePolicy(place.kind, live)
}

function livePolicy(kind: PolicyKind, { metadata, spec = {} }: RawPolicy): LivePolicy {
  const last = metadata.managedFields?.toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))[0]
  return {
    kind,
    namespace: metadata.namespace,
    name: metadata.name,
    networkId: metadata.labels?.[networkLabel] ?? null,
    spec,
    changedBy: last?.manager ?? null,
  }
}

/** The object as it is written, and as plans show it. */
export function policyObject(
  { kind, namespace, name, spec }: Omit<WantedPolicy, 'clusterId'>,
  networkId: string,
) {
  return {
    apiVersion: apis[kind].groupVersion,
    kind,
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'bey', [networkLabel]: networkId },
    },
    spec,
  }
}

/**
 * Writes a policy and answers its `spec` as the cluster keeps it, and whether that changed it. A policy of that name without
 * the network's label is somebody else's and is left alone. Throws ClusterFailure.
 */
export async function writePolicy(
  cluster: Cluster,
  wanted: WantedPolicy,
  networkId: string,
): Promise<{ spec: Spec; effect: 'created' | 'changed' | 'none' }> {
  const place = policyText(wanted)
  const live = await readPolicy(cluster, wanted)
  const isOurs = live === undefined || live.metadata.labels?.[networkLabel] === networkId
  if (!isOurs) {
    throw new ClusterFailure(
      `The policy ${place} is there already and not this network's. Delete or rename it in the cluster.`,
    )
  }
  // The whole object, of exactly the version that was read: apply would leave what others added to the rules.
  const body = policyObject(wanted, networkId)
  const answer =
    live === undefined
      ? await cluster({ method: 'POST', path: `${listPath(wanted)}?fieldManager=${manager}`, body })
      : await cluster({
          method: 'PUT',
          path: `${pathOf(wanted)}?fieldManager=${manager}`,
          body: {
            ...body,
            metadata: {
              ...body.metadata,
              labels: { ...live.metadata.labels, ...body.metadata.labels },
              annotations: live.metadata.annotations,
              resourceVersion: live.metadata.resourceVersion,
            },
          },
        })
  if (answer.status === 404) {
    await requireServed(cluster, wanted.kind)
    throw new ClusterFailure(
      `The namespace "${wanted.namespace}" does not exist in this cluster. Create it first.`,
    )
  }
  if (answer.status === 409) {
    throw new ClusterFailure(`The policy ${place} was changed in the cluster at the same moment. Try again.`)
  }
  if (answer.status !== 200 && answer.status !== 201) throw refusalOf(answer, `write the policy ${place}`)
  const { spec = {} } = answer.body as RawPolicy
  if (live === undefined) return { spec, effect: 'created' }
  return { spec, effect: isDeepStrictEqual(live.spec, spec) ? 'none' : 'changed' }
}

/** Deletes a policy of the network, exactly the one that is read; one that is gone or somebody else's is left. True if it did. */
export async function deletePolicy(cluster: Cluster, place: Place, networkId: string): Promise<boolean> {
  const live = await readPolicy(cluster, place)
  if (live === undefined || live.metadata.labels?.[networkLabel] !== networkId) return false
  const answer = await cluster({
    method: 'DELETE',
    path: pathOf(place),
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: live.metadata.uid } },
  })
  // Gone, or another one by now.
  if (answer.status === 404 || answer.status === 409) return false
  if (answer.status < 300) return true
  throw refusalOf(answer, `delete the policy ${policyText(place)}`)
}

async function readPolicy(cluster: Cluster, place: Place): Promise<RawPolicy | undefined> {
  const answer = await cluster({ method: 'GET', path: pathOf(place) })
  if (answer.status === 404) return undefined
  // An object by the Kubernetes API, whose shape is its contract.
  if (answer.status === 200) return answer.body as RawPolicy
  throw refusalOf(answer, `read the policy ${policyText(place)}`)
}

/** Throws ClusterFailure where a cluster does not have a kind of policies. */
export async function requireServed(cluster: Cluster, kind: PolicyKind): Promise<void> {
  if (kind === 'NetworkPolicy') return
  const { groupVersion, plural } = apis[kind]
  const answer = await cluster({ method: 'GET', path: `/apis/${groupVersion}/${plural}?limit=1` })
  if (answer.status === 404) {
    throw new ClusterFailure(
      `This cluster has no ${kind}. Choose NetworkPolicy as the kind of the network's policies, or install Cilium.`,
    )
  }
}

/** How a policy that was written is found in what a cluster has. */
export function findingOf(kept: Place & { written: Spec }, live: readonly LivePolicy[]): Finding {
  const found = live.find(
    ({ kind, namespace, name }) => kind === kept.kind && namespace === kept.namespace && name === kept.name,
  )
  if (found === undefined) return { state: 'missing', found: null, changedBy: null }
  if (isDeepStrictEqual(found.spec, kept.written)) return { state: 'in_force', found: null, changedBy: null }
  return { state: 'changed', found: found.spec, changedBy: found.changedBy }
}
