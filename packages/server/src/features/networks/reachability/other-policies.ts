import type { AdminPolicy, CiliumPolicy } from '@bey/contract/reachability/policy'
import { type Cluster, ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import { openLive } from '../open-live.ts'
import { readItems } from '../read-items.ts'
import type { ReachabilityNeeds } from './read-policies.ts'

/** Policies beside NetworkPolicy, as a snapshot takes them. */
export type OtherPolicies = {
  adminPolicies: AdminPolicy[]
  ciliumPolicies: CiliumPolicy[]
  /** With Cilium, blocks of addresses never match pods of the cluster. */
  plugin: 'standard' | 'cilium'
  /** Why some of them could not be read, as a sentence that names the kind; null where all were. */
  doubt: string | null
}

type RawPolicy<Spec> = { metadata: { name: string; namespace?: string }; spec?: Spec; specs?: Spec[] }
type CiliumSpec = CiliumPolicy['spec'] & { nodeSelector?: unknown }

/** For so long the policies that were read are not read again. */
const freshMs = 2_000

type Known = { atMs: number; policies: Promise<OtherPolicies>; last: OtherPolicies | undefined }

/**
 * Reads AdminNetworkPolicies (policy.networking.k8s.io/v1alpha1) and Cilium's policies (cilium.io/v2) of clusters that
 * serve them. Nothing of these is watched: what was read counts for two seconds. Where they cannot be read any more, the
 * last that were known are answered, with the doubt.
 */
export function createOtherPolicyReader(needs: ReachabilityNeeds) {
  const known = new Map<number, Known>()
  return (organizationId: number, cluster: { id: number; title: string }): Promise<OtherPolicies> => {
    const before = known.get(cluster.id)
    if (before !== undefined && performance.now() - before.atMs < freshMs) return before.policies
    const read = async () => {
      const now = await readOtherPolicies(needs, organizationId, cluster)
      if (now.doubt !== null) return { ...(entry.last ?? now), doubt: now.doubt }
      entry.last = now
      return now
    }
    const entry: Known = { atMs: performance.now(), policies: Promise.resolve(nothing), last: before?.last }
    entry.policies = read()
    known.set(cluster.id, entry)
    // A failure that is no answer of the cluster is not kept.
    entry.policies.catch(() => known.delete(cluster.id))
    return entry.policies
  }
}

const nothing: OtherPolicies = { adminPolicies: [], ciliumPolicies: [], plugin: 'standard', doubt: null }

async function readOtherPolicies(
  needs: ReachabilityNeeds,
  organizationId: number,
  { id, title }: { id: number; title: string },
): Promise<OtherPolicies> {
  const doubts: string[] = []
  const orDoubt = async <T>(what: string, read: () => Promise<T[]>): Promise<T[]> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof ClusterFailure)) throw error
      doubts.push(`The ${what} of ${title} cannot be read: ${error.message}`)
      return []
    }
  }
  const cluster = await openOrDoubt(needs, organizationId, id)
  if (typeof cluster === 'string') {
    const doubt = `The policies of ${title} cannot be read: ${cluster}`
    return { ...nothing, doubt }
  }
  const [admin, cilium] = await Promise.all([
    orDoubt('AdminNetworkPolicies', () => servedKinds(cluster, adminApi)),
    orDoubt('CiliumNetworkPolicies', () => servedKinds(cluster, ciliumApi)),
  ])
  const listed = async <Spec>(served: string[], api: string, plural: string, kind: string) =>
    served.includes(plural)
      ? orDoubt(kind, () => readItems<RawPolicy<Spec>>(cluster, `${api}/${plural}`))
      : []
  const [ordered, baseline, ofNamespaces, ofClusters] = await Promise.all([
    listed<AdminPolicy['spec']>(admin, adminApi, 'adminnetworkpolicies', 'AdminNetworkPolicies'),
    listed<AdminPolicy['spec']>(
      admin,
      adminApi,
      'baselineadminnetworkpolicies',
      'BaselineAdminNetworkPolicies',
    ),
    listed<CiliumSpec>(cilium, ciliumApi, 'ciliumnetworkpolicies', 'CiliumNetworkPolicies'),
    listed<CiliumSpec>(
      cilium,
      ciliumApi,
      'ciliumclusterwidenetworkpolicies',
      'CiliumClusterwideNetworkPolicies',
    ),
  ])
  return {
    adminPolicies: [
      ...ordered.flatMap((policy) => adminPolicy(policy, false)),
      ...baseline.flatMap((policy) => adminPolicy(policy, true)),
    ],
    ciliumPolicies: [...ofNamespaces, ...ofClusters].flatMap(ciliumPoliciesOf),
    plugin: cilium.includes('ciliumnetworkpolicies') ? 'cilium' : 'standard',
    doubt: doubts[0] ?? null,
  }
}

const adminApi = '/apis/policy.networking.k8s.io/v1alpha1'
const ciliumApi = '/apis/cilium.io/v2'

async function openOrDoubt(
  needs: ReachabilityNeeds,
  organizationId: number,
  id: number,
): Promise<Cluster | string> {
  try {
    return await openLive(needs, organizationId, id)
  } catch (error) {
    if (error instanceof ClusterFailure) return error.message
    throw error
  }
}

/**
 * The kinds that a cluster serves of a version of a group, by their plural. Asked apart from the lists: a cluster refuses
 * to list what Bey may not read with the same 403, whether or not it serves the kind.
 */
async function servedKinds(cluster: Cluster, api: string): Promise<string[]> {
  const { status, body } = await cluster({ method: 'GET', path: api })
  if (status === 404) return []
  if (status !== 200)
    throw new ClusterFailure(`The cluster refuses to say which kinds it serves (${status}).`)
  // An APIResourceList of the Kubernetes API, whose shape is its contract.
  const { resources = [] } = body as { resources?: { name: string }[] }
  return resources.map(({ name }) => name)
}

const adminPolicy = (
  { metadata, spec }: RawPolicy<AdminPolicy['spec']>,
  isBaseline: boolean,
): AdminPolicy[] =>
  spec === undefined ? [] : [{ name: metadata.name, spec, ...(isBaseline && { isBaseline }) }]

/** One for each of `specs`; those that choose nodes are about the hosts, and hold for no pod. */
function ciliumPoliciesOf({ metadata, spec, specs = [] }: RawPolicy<CiliumSpec>): CiliumPolicy[] {
  const { name, namespace } = metadata
  return [...(spec === undefined ? [] : [spec]), ...specs].flatMap(({ nodeSelector, ...rest }) =>
    nodeSelector === undefined ? [{ name, spec: rest, ...(namespace !== undefined && { namespace }) }] : [],
  )
}
