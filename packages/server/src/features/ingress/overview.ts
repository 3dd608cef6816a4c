import type { CallOutput, HealthState, IngressCertificate, IngressGateway, IngressHost } from '@bey/contract'
import type { LoadBalancerService, ParsedInput } from '@bey/contract'
import { healthRank } from '@bey/contract'

import { balancerRows } from './balancer-rows.ts'
import { certificateRows } from './certificate-rows.ts'
import type { ReadObjects } from './cluster-objects.ts'
import { readCopies } from './copies.ts'
import { gatewayRows } from './gateway-rows.ts'
import { hostRows, unreachable } from './host-rows.ts'
import { countStates, pageOf } from './page.ts'
import type { IngressParts } from './parts.ts'
import { routesOfCluster } from './routes-of-cluster.ts'

type Lists = 'ingress.hosts' | 'ingress.certificates' | 'ingress.loadBalancers' | 'ingress.gateways'
type Query<N extends Lists> = ParsedInput<N>['query']

const maxNamespaces = 200

/** Everything that leads requests from outside into the clusters of an organization. */
export function createIngressOverview(
  { database, readEachCluster, clock }: Pick<IngressParts, 'database' | 'readEachCluster' | 'clock'>,
  readObjects: ReadObjects,
) {
  async function read(organizationId: number, { cluster }: { cluster?: number | undefined }) {
    const copyOf = await readCopies(database, organizationId)
    const { read: all, ...states } = await readEachCluster(
      { organizationId, clusterId: cluster },
      readObjects,
    )
    const nowMs = clock.now().getTime()
    const clusters = all.map(({ found: { objects } }) => ({
      objects,
      routes: routesOfCluster(objects, nowMs),
      certificates: certificateRows(objects, { nowMs, copyOf }),
    }))
    return { clusters, states, nowMs, hosts: hostRows(clusters) }
  }

  type Overview = Awaited<ReturnType<typeof read>>

  /** What every list answers beside its rows. */
  function answerOf(
    { clusters, states, hosts }: Overview,
    namespaces: readonly string[],
    counted: readonly { health: { state: HealthState } }[],
  ) {
    const all = clusters.map(({ objects }) => objects)
    return {
      counts: countStates(counted),
      totals: {
        hosts: hosts.length,
        certificates: clusters.reduce((sum, { certificates }) => sum + certificates.length, 0),
        loadBalancers: all.reduce((sum, each) => sum + balancerRows(each, 0).length, 0),
        gateways: all.reduce((sum, { gateways }) => sum + gateways.length, 0),
      },
      refused: all
        .flatMap(({ cluster, refused }) =>
          refused.map((each) => ({ clusterId: cluster.id, cluster: cluster.title, ...each })),
        )
        .slice(0, 500),
      namespaces: [...new Set(namespaces)].toSorted().slice(0, maxNamespaces),
      isPartial: false,
      ...states,
    }
  }

  return {
    async hosts(organizationId: number, query: Query<'ingress.hosts'>): Promise<CallOutput<'ingress.hosts'>> {
      const overview = await read(organizationId, query)
      const matching = overview.hosts
        .filter(({ host }) => query.host === undefined || host === query.host)
        .filter(({ namespaces }) => query.namespace === undefined || namespaces.includes(query.namespace))
        .filter(({ host, routes }) =>
          isFound(query.search, [
            host,
            ...routes.flatMap((each) => [each.name, ...each.backends.map(({ service }) => service ?? '')]),
          ]),
        )
        .toSorted(hostOrders[query.sort])
      const { rows, ...page } = pageOf(matching, query)
      const namespaces = overview.hosts.flatMap((each) => each.namespaces)
      const nextExpiry = nextToExpire(matching, overview.nowMs)
      return { hosts: rows, nextExpiry, ...page, ...answerOf(overview, namespaces, matching) }
    },

    async certificates(
      organizationId: number,
      query: Query<'ingress.certificates'>,
    ): Promise<CallOutput<'ingress.certificates'>> {
      const overview = await read(organizationId, query)
      const all = overview.clusters.flatMap(({ certificates, objects: { noAnswerSince } }) =>
        certificates.map((each) =>
          noAnswerSince === null ? each : { ...each, health: unreachable(noAnswerSince) },
        ),
      )
      const matching = all
        .filter(({ state }) => query.state === undefined || state === query.state)
        .filter(inNamespace(query.namespace))
        .filter(({ name, hosts, facts }) =>
          isFound(query.search, [name, facts?.subject ?? '', ...hosts.map(({ host }) => host)]),
        )
        .toSorted(certificateOrders[query.sort])
      const { rows, ...page } = pageOf(matching, query)
      return { certificates: rows, ...page, ...answerOf(overview, namespacesOf(all), matching) }
    },

    async loadBalancers(
      organizationId: number,
      query: Query<'ingress.loadBalancers'>,
    ): Promise<CallOutput<'ingress.loadBalancers'>> {
      const overview = await read(organizationId, query)
      const all = overview.clusters.flatMap(({ objects }) => balancerRows(objects, overview.nowMs))
      const matching = all
        .filter(inNamespace(query.namespace))
        .filter(({ name, addresses }) => isFound(query.search, [name, ...addresses]))
        .toSorted(balancerOrders[query.sort])
      const { rows, ...page } = pageOf(matching, query)
      return { loadBalancers: rows, ...page, ...answerOf(overview, namespacesOf(all), matching) }
    },

    async gateways(
      organizationId: number,
      query: Query<'ingress.gateways'>,
    ): Promise<CallOutput<'ingress.gateways'>> {
      const overview = await read(organizationId, query)
      const all = overview.clusters.flatMap(({ objects }) => gatewayRows(objects))
      const matching = all
        .filter(inNamespace(query.namespace))
        .filter(({ name, listeners }) =>
          isFound(query.search, [name, ...listeners.map(({ hostname }) => hostname)]),
        )
        .toSorted(gatewayOrders[query.sort])
      const { rows, ...page } = pageOf(matching, query)
      return { gateways: rows, ...page, ...answerOf(overview, namespacesOf(all), matching) }
    },
  }
}

const inNamespace = (wanted: string | undefined) => (row: { namespace: string }) =>
  wanted === undefined || row.namespace === wanted

const namespacesOf = (all: readonly { namespace: string }[]) => all.map(({ namespace }) => namespace)

function isFound(search: string | undefined, texts: readonly string[]): boolean {
  const wanted = search?.toLowerCase()
  return !wanted || texts.some((text) => text.toLowerCase().includes(wanted))
}

type Order<T> = (a: T, b: T) => number
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The host whose certificate ends next; what has ended already is counted as failing. */
function nextToExpire(hosts: readonly IngressHost[], nowMs: number) {
  const ahead = hosts.flatMap(({ host, expiresAt }) =>
    expiresAt !== null && Date.parse(expiresAt) > nowMs ? [{ host, expiresAt }] : [],
  )
  return ahead.toSorted((a, b) => byEnd(a.expiresAt, b.expiresAt) || byText(a.host, b.host))[0] ?? null
}

type Placed = { cluster: string; namespace: string; name: string; health: { state: HealthState } }
const byPlace: Order<Placed> = (a, b) =>
  byText(a.name, b.name) || byText(a.cluster, b.cluster) || byText(a.namespace, b.namespace)
const byHealth: Order<Pick<Placed, 'health'>> = (a, b) =>
  healthRank(a.health.state) - healthRank(b.health.state)
/** What has no end, or none that is known, comes last. */
const byEnd: Order<string | null> = (a, b) => byText(a ?? '9', b ?? '9')

const hostOrders: Record<Query<'ingress.hosts'>['sort'], Order<IngressHost>> = {
  host: (a, b) => byText(a.host, b.host),
  health: (a, b) => byHealth(a, b) || byEnd(a.expiresAt, b.expiresAt) || byText(a.host, b.host),
  expiresAt: (a, b) => byEnd(a.expiresAt, b.expiresAt) || byText(a.host, b.host),
}

const certificateOrders: Record<Query<'ingress.certificates'>['sort'], Order<IngressCertificate>> = {
  name: byPlace,
  health: (a, b) => byHealth(a, b) || byPlace(a, b),
  expiresAt: (a, b) => byEnd(a.facts?.expiresAt ?? null, b.facts?.expiresAt ?? null) || byPlace(a, b),
}

const balancerOrders: Record<Query<'ingress.loadBalancers'>['sort'], Order<LoadBalancerService>> = {
  name: byPlace,
  health: (a, b) => byHealth(a, b) || byPlace(a, b),
  createdAt: (a, b) => byText(a.createdAt ?? '', b.createdAt ?? '') || byPlace(a, b),
}

const gatewayOrders: Record<Query<'ingress.gateways'>['sort'], Order<IngressGateway>> = {
  name: byPlace,
  health: (a, b) => byHealth(a, b) || byPlace(a, b),
}
