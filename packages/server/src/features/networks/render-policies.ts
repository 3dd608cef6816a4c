import type { PlacedPolicy, PolicyPlace, Spec } from './policy-rows.ts'

/** A policy that is to be kept in a cluster. */
export type WantedPolicy = PlacedPolicy & { spec: Spec }

/** The same in the words of NetworkPolicies. */
export type StandardWanted = PolicyPlace & { spec: Spec }

/** What of a network decides its policies. */
export type RenderedNetwork = {
  name: string
  cidr: string
  cidr6: string | null
  isIsolated: boolean
  /** Clusters that take part, with the namespaces that do; `isWhole`: all that there are. */
  places: readonly { clusterId: number; isWhole: boolean; namespaces: readonly string[] }[]
}

/** The label that Kubernetes gives each namespace: its name. */
const nameLabel = 'kubernetes.io/metadata.name'

/** Namespaces of the cluster's own parts: closing them stops name resolution and the API. */
const isSystemNamespace = (name: string): boolean => name.startsWith('kube-')

/**
 * The policies that make a network what it is held to be here, with every default of Kubernetes written out. An isolated
 * network is entered from its own namespaces and ranges alone; what its pods call themselves is left open.
 */
export function renderPolicies(network: RenderedNetwork): StandardWanted[] {
  if (!network.isIsolated) return []
  return network.places.flatMap((place) =>
    place.namespaces
      .filter((namespace) => !isSystemNamespace(namespace))
      .map((namespace) => ({
        clusterId: place.clusterId,
        namespace,
        name: `bey-${network.name}`,
        spec: isolation(network, place),
      })),
  )
}

function isolation(
  { cidr, cidr6 }: RenderedNetwork,
  { isWhole, namespaces }: RenderedNetwork['places'][number],
): Spec {
  const inside = isWhole
    ? { namespaceSelector: {} }
    : {
        namespaceSelector: {
          matchExpressions: [{ key: nameLabel, operator: 'In', values: namespaces.toSorted() }],
        },
      }
  const ranges = [cidr, ...(cidr6 === null ? [] : [cidr6])].map((each) => ({ ipBlock: { cidr: each } }))
  return {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [{ from: [inside, ...ranges] }],
  }
}
