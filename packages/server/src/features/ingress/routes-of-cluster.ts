import type { Health, IngressRoute } from '@bey/contract'
import { worstHealth } from '@bey/contract/ingress/rules'

import type { HttpRouteEntry, IngressEntry, ParentEntry } from '../kubernetes/watch/ingress-entries.ts'
import { backendsOf } from './backends.ts'
import { type ClusterObjects, fullName } from './cluster-objects.ts'

/** One path of one host in one object, with what its host takes over from the object. */
export type HostedRoute = {
  /** Empty for every host. */
  host: string
  addresses: readonly string[]
  /** Whether the object sets up TLS for the host, and by which Secrets; `controller`: by the controller's own certificate. */
  tls: 'certificate' | 'controller' | 'none'
  secrets: readonly { namespace: string; name: string }[]
  route: IngressRoute
}

/** Every path of every host of a cluster, each with how it is; those that claim the same name each other. */
export function routesOfCluster(objects: ClusterObjects, nowMs: number): HostedRoute[] {
  const all = [
    ...objects.ingresses.flatMap((each) => routesOfIngress(each, objects, nowMs)),
    ...objects.routes.flatMap((each) => routesOfHttpRoute(each, objects, nowMs)),
  ]
  return withConflicts(all)
}

function routesOfIngress(ingress: IngressEntry, objects: ClusterObjects, nowMs: number): HostedRoute[] {
  const { namespace, name, className, addresses, tls, createdAt } = ingress
  const around = { services: objects.services, endpoints: objects.endpoints, nowMs, createdAt }
  return ingress.rules.flatMap(({ host, paths, isDefault }) => {
    const ownTls = host === '' ? [] : tls.filter(({ hosts }) => hosts.includes(host))
    const secrets = ownTls.flatMap(({ secretName }) =>
      secretName === null ? [] : { namespace, name: secretName },
    )
    return paths.map(({ path, pathType, backends: refs }): HostedRoute => {
      const backends = backendsOf(refs, around)
      return {
        host,
        addresses,
        tls: secrets.length > 0 ? 'certificate' : ownTls.length > 0 ? 'controller' : 'none',
        secrets,
        route: {
          ...clusterOf(objects),
          kind: 'Ingress',
          namespace,
          name,
          path,
          pathType,
          className,
          isDefault,
          backends,
          attachment:
            addresses.length > 0
              ? null
              : 'No controller has given it an address yet; some controllers never say one.',
          conflicts: [],
          health: healthOfBackends(backends),
        },
      }
    })
  })
}

function routesOfHttpRoute(entry: HttpRouteEntry, objects: ClusterObjects, nowMs: number): HostedRoute[] {
  const { namespace, name, createdAt, parents } = entry
  const { services, endpoints, grants } = objects
  const around = { services, endpoints, nowMs, createdAt, crossing: { namespace, grants } }
  const gateways = objects.gateways.filter((gateway) => parents.some((each) => isOf(each, gateway)))
  const listeners = gateways.flatMap((gateway) =>
    gateway.listeners.filter(({ name: section }) =>
      parents.some(
        (each) => isOf(each, gateway) && (each.sectionName === '' || each.sectionName === section),
      ),
    ),
  )
  // A route without hostnames takes those of its listeners (Gateway API reference).
  const ofListeners = [...new Set(listeners.map(({ hostname }) => hostname))]
  const hosts = entry.hostnames.length > 0 ? entry.hostnames : ofListeners.length > 0 ? ofListeners : ['']
  const attachment = attachmentOf(parents)
  return hosts.flatMap((host) => {
    const secure = listeners.filter(
      ({ protocol, hostname }) =>
        (protocol === 'HTTPS' || protocol === 'TLS') && (hostname === '' || isWithin(hostname, host)),
    )
    const secrets = secure.flatMap(({ certificates }) => certificates)
    return entry.paths.map(({ path, pathType, backends: refs }): HostedRoute => {
      const backends = backendsOf(refs, around)
      return {
        host,
        addresses: gateways.flatMap(({ addresses }) => addresses),
        tls: secrets.length > 0 ? 'certificate' : 'none',
        secrets,
        route: {
          ...clusterOf(objects),
          kind: 'HTTPRoute',
          namespace,
          name,
          path,
          pathType,
          className: [...new Set(parents.map((each) => each.name))].join(', ') || null,
          isDefault: false,
          backends,
          attachment: attachment?.detail ?? null,
          conflicts: [],
          health: worstHealth([...(attachment ? [attachment] : []), healthOfBackends(backends)]),
        },
      }
    })
  })
}

const clusterOf = ({ cluster: { id, title } }: ClusterObjects) => ({ clusterId: id, cluster: title })

const isOf = (parent: ParentEntry, gateway: { namespace: string; name: string }) =>
  parent.namespace === gateway.namespace && parent.name === gateway.name

/** Whether a host is one of a listener; unlike in certificates a wildcard stands for any number of labels. */
export function isWithin(hostname: string, host: string): boolean {
  return hostname === host || (hostname.startsWith('*.') && host.endsWith(hostname.slice(1)))
}

/** Why a route is not taken by one of its gateways; undefined where all took it. */
function attachmentOf(parents: readonly ParentEntry[]): Health | undefined {
  for (const { name, accepted, resolved } of parents) {
    const refused = [accepted, resolved].find((condition) => condition?.isTrue === false)
    if (refused)
      return {
        state: accepted?.isTrue === false ? 'failing' : 'degraded',
        reason: refused.reason || 'Refused',
        detail: `The gateway ${name} refuses it${refused.message ? `: ${refused.message}` : '.'}`,
        since: refused.since,
        object: null,
      }
  }
  const waiting = parents.find(({ accepted }) => accepted?.isTrue !== true)
  if (waiting === undefined && parents.length > 0) return undefined
  const detail =
    waiting === undefined
      ? 'It names no gateway, so nothing leads to it.'
      : `The gateway ${waiting.name} has not taken it yet.`
  return { state: 'unknown', reason: 'NotAttached', detail, since: null, object: null }
}

/** Where one of several backends works, the path works in part. */
function healthOfBackends(backends: IngressRoute['backends']): Health {
  const served = backends.filter(({ weightPercent }) => weightPercent > 0)
  if (served.length === 0)
    return {
      state: 'failing',
      reason: 'NoBackend',
      detail: 'No backend is named, or each has a weight of 0.',
      since: null,
      object: null,
    }
  const worst = worstHealth(served.map(({ health }) => health))
  const works = served.some(({ health }) => health.state === 'healthy')
  return worst.state === 'failing' && works ? { ...worst, state: 'degraded' } : worst
}

/** Objects of one cluster and class that claim the same host, path and type: which of them answers is for the controller to say. */
function withConflicts(all: readonly HostedRoute[]): HostedRoute[] {
  const claims = new Map<string, HostedRoute[]>()
  const keyOf = ({ host, route }: HostedRoute) =>
    JSON.stringify([host, route.path, route.pathType, route.kind, route.className, route.isDefault])
  for (const each of all) claims.set(keyOf(each), [...(claims.get(keyOf(each)) ?? []), each])
  return all.map((each) => {
    const others = (claims.get(keyOf(each)) ?? [])
      .map(({ route }) => route)
      .filter((route) => fullName(route) !== fullName(each.route))
    if (others.length === 0) return each
    const conflicts = others.slice(0, 10).map(({ kind, namespace, name }) => ({ kind, namespace, name }))
    const detail = `${conflicts.map(fullName).join(', ')} ${others.length === 1 ? 'claims' : 'claim'} the same host and path: which of them answers is left to the controller.`
    const conflict: Health = { state: 'degraded', reason: 'Conflict', detail, since: null, object: null }
    return {
      ...each,
      route: { ...each.route, conflicts, health: worstHealth([each.route.health, conflict]) },
    }
  })
}
