import type { Cluster } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { silenceOf, useSilentClusters } from '../../../data/cluster-silence.ts'
import { useAccessReviews } from '../../../data/kubernetes-access.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { silentClusterReason } from '../../clusters/silence-text.ts'
import type { ObjectAction } from './action.ts'

export interface ActionPlace {
  clusterId: number
  /** As kubectl names it. */
  resource: string
  /** Empty for what belongs to no namespace. */
  namespace: string
}

/**
 * Why each action is not allowed in its place, in the order given; undefined where it is. First Bey's own role, then the
 * cluster's RBAC; before both, whether the cluster answers at all. Until the cluster has answered an action is offered, for it has the last word anyway.
 */
export function useDeniedReasons(
  asked: readonly { action: ObjectAction; place: ActionPlace }[],
): readonly (string | undefined)[] {
  const role = useRole()
  const stale = useStaleReason()
  const silent = useSilentClusters(asked.map(({ place }) => place.clusterId))
  const denied = asked.map(
    ({ action, place }) =>
      stale ?? silenceReason(silent.get(place.clusterId)) ?? deniedReason(role, action.permission),
  )
  const reviews = useAccessReviews(
    asked.map(({ action, place: { clusterId, resource, namespace } }, index) =>
      denied[index] === undefined
        ? { clusterId, namespace, need: action.access(resourceParts(resource)) }
        : undefined,
    ),
  )
  return denied.map((reason, index) => reason ?? reviews[index])
}

function silenceReason(cluster: Cluster | undefined): string | undefined {
  const silence = cluster && silenceOf(cluster)
  return silence && silentClusterReason(cluster.title, silence)
}

/** `deployments.apps` as plural and group. */
function resourceParts(resource: string): { plural: string; group: string } {
  const dot = resource.indexOf('.')
  return dot < 0
    ? { plural: resource, group: '' }
    : { plural: resource.slice(0, dot), group: resource.slice(dot + 1) }
}
