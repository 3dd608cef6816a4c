import type { RulePeer, SecurityRule } from '@bey/contract/networks/security-group-rules'
import { parsePort } from '@bey/contract/networks/security-group-rules'
import type { NetworkProblem } from '@bey/contract/networks/rules'

import { ClusterFailure, refusalOf } from '../../../platform/clusters/open-cluster.ts'
import { openLive } from '../open-live.ts'
import type { NetworkParts } from '../parts.ts'
import { unreadCluster, type UnreadCluster } from '../places.ts'
import type { Spec } from '../policy-rows.ts'
import { readDatabasePeer } from './database-peer.ts'
import { podsIn } from './pods-in.ts'
import type { RenderedGroup } from './render-groups.ts'

export type ServicePort = { name: string; port: number; protocol: string; target: number | string }

/**
 * A service or a database as rules need it in a cluster: the pods behind it or its addresses, with its ports; or the
 * sentence that says why it leads nowhere. `title`: how sentences name it.
 */
export type ResolvedService =
  | { title: string; peers: readonly Spec[]; ports: readonly ServicePort[] }
  | { problem: string }

/** A peer that is looked up when its rule is applied. */
export type ServicePeer = Extract<RulePeer, { kind: 'service' | 'database' }>

/** Services and databases as they are seen from a cluster. */
export type ServicesOf = (clusterId: number, peer: ServicePeer) => ResolvedService | undefined

export const isServicePeer = (peer: RulePeer): peer is ServicePeer =>
  peer.kind === 'service' || peer.kind === 'database'

const keyOf = (clusterId: number, peer: ServicePeer) =>
  peer.kind === 'database'
    ? `${clusterId} database ${peer.databaseId}`
    : `${clusterId} ${peer.namespace}/${peer.name}`

/** Reads the services and databases that rules name, for each cluster where their groups are put on something. */
export async function readServicePeers(
  parts: Pick<NetworkParts, 'clusters' | 'cache' | 'database'>,
  organizationId: number,
  groups: readonly Pick<RenderedGroup, 'rules' | 'targets'>[],
): Promise<{ servicesOf: ServicesOf; unread: UnreadCluster[] }> {
  const named = new Map<string, { clusterId: number; peer: ServicePeer }>()
  for (const { rules, targets } of groups) {
    for (const { peer } of rules) {
      if (!isServicePeer(peer)) continue
      for (const { clusterId } of targets) named.set(keyOf(clusterId, peer), { clusterId, peer })
    }
  }
  const services = new Map<string, ResolvedService>()
  const unread = new Map<number, UnreadCluster>()
  await Promise.all(
    [...named].map(async ([key, { clusterId, peer }]) => {
      try {
        services.set(
          key,
          peer.kind === 'database'
            ? await readDatabasePeer(parts, organizationId, clusterId, peer.databaseId)
            : await readService(parts, organizationId, clusterId, peer),
        )
      } catch (error) {
        if (!(error instanceof ClusterFailure)) throw error
        unread.set(clusterId, await unreadCluster(parts, organizationId, clusterId, error))
      }
    }),
  )
  return {
    servicesOf: (clusterId, peer) => services.get(keyOf(clusterId, peer)),
    unread: [...unread.values()],
  }
}

type RawService = {
  spec?: {
    type?: string
    selector?: Record<string, string>
    ports?: { name?: string; port: number; protocol?: string; targetPort?: number | string }[]
  }
}

async function readService(
  parts: Pick<NetworkParts, 'clusters' | 'cache'>,
  organizationId: number,
  clusterId: number,
  { namespace, name }: { namespace: string; name: string },
): Promise<ResolvedService> {
  const cluster = await openLive(parts, organizationId, clusterId)
  const answer = await cluster({ method: 'GET', path: `/api/v1/namespaces/${namespace}/services/${name}` })
  const title = (await parts.clusters.find(organizationId, clusterId))?.title ?? String(clusterId)
  if (answer.status === 404) return { problem: `There is no service ${namespace}/${name} in ${title}.` }
  if (answer.status !== 200) throw refusalOf(answer, `read the service ${namespace}/${name}`)
  // An object by the Kubernetes API, whose shape is its contract.
  const { selector = {}, ports = [], type } = (answer.body as RawService).spec ?? {}
  if (type === 'ExternalName' || Object.keys(selector).length === 0) {
    return {
      problem: `The service ${namespace}/${name} in ${title} has no selector, so its pods are not known. Use a range or a workload.`,
    }
  }
  return {
    title: `service ${namespace}/${name}`,
    peers: [podsIn(namespace, selector)],
    ports: ports.map((each) => ({
      name: each.name ?? '',
      port: each.port,
      protocol: each.protocol ?? 'TCP',
      target: each.targetPort ?? each.port,
    })),
  }
}

/** Ports of the pods behind a service that a rule opens: its own ports are those of the service. */
export function targetPorts(
  { protocol, ports }: Pick<SecurityRule, 'protocol' | 'ports'>,
  service: readonly ServicePort[],
): { port: number | string; protocol: string }[] {
  return service
    .filter((each) => protocol === 'any' || each.protocol === protocol.toUpperCase())
    .filter((each) => ports.length === 0 || ports.some((text) => isPort(text, each)))
    .map(({ target, protocol: word }) => ({ port: target, protocol: word }))
}

function isPort(text: string, { port, name }: ServicePort): boolean {
  const parsed = parsePort(text)
  if ('problem' in parsed) return false
  return 'name' in parsed ? parsed.name === name : parsed.from <= port && port <= parsed.to
}

/** Rules that name a service or database which leads nowhere, or which has none of their ports, by the path of the field. */
export function servicePeerProblems(
  { rules, targets }: Pick<RenderedGroup, 'rules' | 'targets'>,
  servicesOf: ServicesOf,
): NetworkProblem[] {
  const clusterIds = [...new Set(targets.map(({ clusterId }) => clusterId))]
  return rules.flatMap(({ peer, direction, ...rule }, at) => {
    if (!isServicePeer(peer)) return []
    for (const clusterId of clusterIds) {
      const service = servicesOf(clusterId, peer)
      if (service === undefined) continue
      if ('problem' in service) return [{ path: `rules.${at}.peer`, message: service.problem }]
      if (direction === 'out' && targetPorts(rule, service.ports).length === 0) {
        const has = service.ports.map(({ port, protocol }) => `${port}/${protocol}`).join(', ')
        const message = `The ${service.title} has none of these ports; it has ${has || 'none'}.`
        return [{ path: `rules.${at}.ports`, message }]
      }
    }
    return []
  })
}
