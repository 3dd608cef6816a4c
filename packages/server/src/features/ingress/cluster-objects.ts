import type { Endpoints } from '@bey/contract/kubernetes/service-health'
import { endpointsByService } from '@bey/contract/kubernetes/service-health'
import type {
  GatewayEntry,
  HttpRouteEntry,
  IngressEntry,
  ReferenceGrantEntry,
} from '../kubernetes/watch/ingress-entries.ts'
import type { Freshness } from '../kubernetes/watch/cluster-cache.ts'
import type { KindName } from '../kubernetes/watch/kinds.ts'
import type { ServiceEntry } from '../kubernetes/watch/network-entries.ts'
import { type FoundCertificate, type SecretName } from './certificates.ts'
import type { Cluster, IngressParts } from './parts.ts'
import { ingressLimits } from '@bey/contract/ingress/rules'

/** What everything here is derived from. */
const ingressKinds: readonly KindName[] = [
  'ingresses.networking.k8s.io',
  'services',
  'endpointslices.discovery.k8s.io',
  'gateways.gateway.networking.k8s.io',
  'httproutes.gateway.networking.k8s.io',
  'referencegrants.gateway.networking.k8s.io',
]

const kindText: Partial<Record<KindName, string>> = {
  'ingresses.networking.k8s.io': 'Ingresses',
  services: 'Services',
  'endpointslices.discovery.k8s.io': 'EndpointSlices',
  'gateways.gateway.networking.k8s.io': 'Gateways',
  'httproutes.gateway.networking.k8s.io': 'HTTPRoutes',
  'referencegrants.gateway.networking.k8s.io': 'ReferenceGrants',
}

/** A cluster as far as requests from outside are concerned. Plain data: nothing here asks the cluster. */
export type ClusterObjects = {
  cluster: { id: number; title: string }
  ingresses: readonly IngressEntry[]
  gateways: readonly GatewayEntry[]
  routes: readonly HttpRouteEntry[]
  /** Undefined where Bey cannot read them. */
  grants: readonly ReferenceGrantEntry[] | undefined
  /** By `namespace/name`; undefined where Bey may not read services. */
  services: ReadonlyMap<string, ServiceEntry> | undefined
  /** By `namespace/name` of the service; undefined where Bey may not read them. */
  endpoints: ReadonlyMap<string, Endpoints> | undefined
  /** By `namespace/name` of the Secret. */
  certificates: ReadonlyMap<string, FoundCertificate>
  /** What of it may not be read. */
  refused: readonly { what: string; reason: string }[]
  /** Since when the cluster does not answer; null while it does. What is here is then what it said before. */
  noAnswerSince: string | null
}

export type ReadObjects = (
  cluster: Cluster,
  timeoutMs?: number,
) => Promise<{ objects: ClusterObjects } & Freshness>

/** Reads a cluster as it is watched, and the certificates that it names. Throws AppError `cluster_unreachable`. */
export function objectsReader(
  { cache }: Pick<IngressParts, 'cache'>,
  readCertificates: (
    cluster: Cluster,
    wanted: readonly SecretName[],
  ) => Promise<Map<string, FoundCertificate>>,
): ReadObjects {
  return async (cluster, timeoutMs) => {
    const cached = await cache.read(cluster, ingressKinds, timeoutMs)
    const freshness = cached.freshness(ingressKinds)
    const failures = cached.failures(ingressKinds)
    const isRefused = (kind: KindName) => failures.some((each) => each.kind === kind && each.isRefused)
    const ingresses = [...cached.table('ingresses.networking.k8s.io').values()]
    const gateways = [...cached.table('gateways.gateway.networking.k8s.io').values()]
    const objects: ClusterObjects = {
      cluster: { id: cluster.id, title: cluster.title },
      ingresses,
      gateways,
      routes: [...cached.table('httproutes.gateway.networking.k8s.io').values()],
      grants: isRefused('referencegrants.gateway.networking.k8s.io')
        ? undefined
        : [...cached.table('referencegrants.gateway.networking.k8s.io').values()],
      services: isRefused('services')
        ? undefined
        : new Map(
            // A list that an earlier version of Bey kept, shown while its cluster does not answer, lacks this.
            [...cached.table('services').values()]
              .filter((each) => 'network' in each)
              .map((each) => [fullName(each), each]),
          ),
      endpoints: isRefused('endpointslices.discovery.k8s.io')
        ? undefined
        : endpointsByService(cached.table('endpointslices.discovery.k8s.io').values()),
      certificates: await readCertificates(cluster, namedSecrets({ ingresses, gateways })),
      refused: failures
        .filter((each) => each.isRefused)
        .map(({ kind, reason }) => ({ what: kindText[kind] ?? kind, reason })),
      noAnswerSince: freshness.noAnswerSince,
    }
    return { objects, ...freshness }
  }
}

export const fullName = ({ namespace, name }: SecretName) => `${namespace}/${name}`

/** The Secrets that ingresses and gateways name for TLS, each once. */
export function namedSecrets({
  ingresses,
  gateways,
}: Pick<ClusterObjects, 'ingresses' | 'gateways'>): SecretName[] {
  const all = new Map<string, SecretName>()
  for (const { namespace, tls } of ingresses)
    for (const { secretName } of tls)
      if (secretName !== null) all.set(`${namespace}/${secretName}`, { namespace, name: secretName })
  for (const { listeners } of gateways)
    for (const { certificates } of listeners) for (const each of certificates) all.set(fullName(each), each)
  return [...all.values()].slice(0, ingressLimits.certificates)
}
