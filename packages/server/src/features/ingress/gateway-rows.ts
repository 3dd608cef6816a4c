import type { Health, IngressGateway } from '@bey/contract'
import { healthy } from '@bey/contract'
import { ingressLimits } from '@bey/contract/ingress/rules'

import type { GatewayEntry } from '../kubernetes/watch/ingress-entries.ts'
import type { ClusterObjects } from './cluster-objects.ts'
import { unreachable } from './host-rows.ts'

/** Gateways of a cluster with their listeners, and the routes that name them. */
export function gatewayRows({ cluster, gateways, routes, noAnswerSince }: ClusterObjects): IngressGateway[] {
  return gateways.map((gateway) => {
    const { namespace, name } = gateway
    const attached = routes.flatMap((route) => {
      const parent = route.parents.find((each) => each.namespace === namespace && each.name === name)
      return parent === undefined ? [] : { route, accepted: parent.accepted }
    })
    return {
      clusterId: cluster.id,
      cluster: cluster.title,
      namespace,
      name,
      className: gateway.className,
      addresses: gateway.addresses.slice(0, 20),
      listeners: gateway.listeners
        .slice(0, ingressLimits.listeners)
        .map(({ problem, certificates, ...each }) => ({
          ...each,
          certificates: certificates.slice(0, 10),
          problem: problem && (problem.message || problem.reason),
        })),
      routes: attached.slice(0, ingressLimits.hosts).map(({ route, accepted }) => ({
        namespace: route.namespace,
        name: route.name,
        isAttached: accepted?.isTrue ?? null,
        text:
          accepted?.isTrue === true
            ? 'attached'
            : accepted?.isTrue === false
              ? `refused: ${accepted.message || accepted.reason}`
              : 'not taken yet',
      })),
      routeTotal: attached.length,
      health: noAnswerSince === null ? healthOf(gateway) : unreachable(noAnswerSince),
    }
  })
}

function healthOf({ accepted, programmed, listeners }: GatewayEntry): Health {
  const is = (state: Health['state'], reason: string, detail: string, since: string | null): Health => ({
    state,
    reason,
    detail,
    since,
    object: null,
  })
  const refused = [accepted, programmed].find((condition) => condition?.isTrue === false)
  if (refused)
    return is(
      'failing',
      refused.reason || 'Refused',
      refused.message || 'Its controller refuses it.',
      refused.since,
    )
  if (accepted?.isTrue !== true)
    return is('unknown', 'NotAccepted', 'No controller has taken it yet.', accepted?.since ?? null)
  const broken = listeners.find(({ problem }) => problem !== null)
  if (broken?.problem)
    return is(
      'degraded',
      broken.problem.reason || 'Listener',
      `Its listener ${broken.name}: ${broken.problem.message || broken.problem.reason}`,
      broken.problem.since,
    )
  return healthy
}
