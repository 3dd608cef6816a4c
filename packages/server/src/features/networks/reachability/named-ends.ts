import type { CompiledPolicies } from '@bey/contract/reachability/compile'
import type { Endpoint } from '@bey/contract/reachability/endpoint'
import type { LabelSelector } from '@bey/contract/reachability/label-selector'
import type { IngressControllerFacts, IngressFacts } from '@bey/contract/reachability/snapshot'
import { ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import { readDatabaseEnds } from '../database-ends.ts'
import { openLive } from '../open-live.ts'
import { readItems } from '../read-items.ts'
import type { ReachabilityNeeds } from './read-policies.ts'

type Cluster = { id: number; organizationId: number; title: string }

export const ingresses = 'ingresses.networking.k8s.io'

/**
 * Adds the databases and ingresses that a question names to what was compiled of a cluster. Policies do not depend on them,
 * so nothing is compiled again.
 */
export async function withNamedEnds(
  needs: ReachabilityNeeds,
  cluster: Cluster,
  compiled: CompiledPolicies,
  ends: readonly Endpoint[],
): Promise<CompiledPolicies> {
  const ingress = ends.find((end) => end.kind === 'ingress')
  const ids = ends.flatMap((end) => (end.kind === 'database' ? end.id : []))
  if (ingress === undefined && ids.length === 0) return compiled
  const facts = {
    ...(ids.length > 0 && {
      databases: await readDatabaseEnds(needs, cluster.organizationId, cluster.id, ids),
    }),
    ...(ingress && (await readIngresses(needs, cluster, ingress, compiled))),
  }
  return { ...compiled, snapshot: { ...compiled.snapshot, ...facts } }
}

/** The pods of controllers, by the `controller` of their IngressClass, as their own charts and manifests label them. */
const controllers: Readonly<Record<string, LabelSelector>> = {
  'k8s.io/ingress-nginx': {
    matchLabels: {
      'app.kubernetes.io/name': 'ingress-nginx',
      'app.kubernetes.io/component': 'controller',
    },
  },
  'nginx.org/ingress-controller': { matchLabels: { 'app.kubernetes.io/name': 'nginx-ingress' } },
  'traefik.io/ingress-controller': { matchLabels: { 'app.kubernetes.io/name': 'traefik' } },
  'haproxy-ingress.github.io/controller': { matchLabels: { 'app.kubernetes.io/name': 'haproxy-ingress' } },
}

type RawClass = {
  metadata: { name: string; annotations?: Record<string, string> }
  spec?: { controller?: string }
}

const defaultClass = 'ingressclass.kubernetes.io/is-default-class'

async function readIngresses(
  needs: ReachabilityNeeds,
  cluster: Cluster,
  { namespace, name }: { namespace: string; name: string },
  { snapshot }: CompiledPolicies,
): Promise<{ ingresses: IngressFacts[]; ingressControllers: IngressControllerFacts[] }> {
  const cached = await needs.cache.read(cluster, [ingresses])
  const entries = [...cached.table(ingresses).values()]
  const asked = entries.find((each) => each.namespace === namespace && each.name === name)
  const selector = asked && (await controllerPods(needs, cluster, asked.className))
  const spaces = [...new Set(snapshot.pods.map((pod) => pod.namespace))]
  return {
    ingresses: entries.map((each) => ({
      namespace: each.namespace,
      name: each.name,
      addresses: each.addresses,
    })),
    ingressControllers: selector ? spaces.map((space) => ({ namespace: space, selector })) : [],
  }
}

/** Undefined where the class names no controller whose pods are known, or where classes cannot be read. */
async function controllerPods(
  needs: ReachabilityNeeds,
  { id, organizationId }: Cluster,
  className: string | null,
): Promise<LabelSelector | undefined> {
  try {
    const open = await openLive(needs, organizationId, id)
    const classes = await readItems<RawClass>(open, '/apis/networking.k8s.io/v1/ingressclasses')
    const own = classes.find(({ metadata }) =>
      className === null ? metadata.annotations?.[defaultClass] === 'true' : metadata.name === className,
    )
    return controllers[own?.spec?.controller ?? '']
  } catch (error) {
    if (error instanceof ClusterFailure) return undefined
    throw error
  }
}
