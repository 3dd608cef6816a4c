import type { Health } from '@bey/contract'
import { healthRank, healthy } from '@bey/contract'
import type { Assessment } from './assess.ts'
import { countStates } from './assess.ts'
import { isWorse } from './verdict.ts'

/** Why part of a cluster could not be looked at. */
export type UnreadableKinds = { kinds: readonly string[]; reason: string }

/**
 * Pure: a cluster that runs, from all that it holds and the certificate of its API server. Healthy only when everything
 * was looked at.
 */
export function clusterHealth(
  assessment: Assessment,
  unreadable: UnreadableKinds | null,
  certificate: Health = healthy,
): Health {
  const workloads = assessment.workloads.map(({ verdict }) => verdict.health)
  const nodes = [...assessment.nodes.values()]
  const claims = [...assessment.claims.values()]
  let worst: Health = healthy
  for (const each of [certificate, ...nodes, ...workloads, ...claims]) {
    // What is on its way in a cluster is its everyday life.
    if (each.state === 'starting' || each.state === 'healthy') continue
    if (isWorse(each, worst)) worst = each
  }
  if (nodes.length > 0 && worst.state === 'healthy' && nodes.every(({ state }) => state === 'starting')) {
    return { ...healthy, state: 'starting', reason: 'Joining', detail: 'its nodes are joining' }
  }
  if (unreadable && healthRank(worst.state) > healthRank('unknown')) return unreadableHealth(unreadable)
  if (worst.state === 'healthy' || worst === certificate) return worst
  return {
    ...worst,
    detail: [
      trouble(assessment, unreadable),
      ...(certificate.state === 'healthy' ? [] : [certificate.detail]),
    ].join(', '),
    since: earliest([...nodes, ...workloads, ...claims], worst.state),
  }
}

/** "3 workloads failing, 1 node not ready": what is worst first. */
function trouble({ workloads, nodes, claims }: Assessment, unreadable: UnreadableKinds | null): string {
  const ofNodes = countStates(nodes.values())
  const ofWorkloads = countStates(workloads.map(({ verdict }) => verdict.health))
  const ofClaims = countStates(claims.values())
  const parts = (['failing', 'degraded', 'unknown'] as const).flatMap((state) => [
    ...(ofNodes[state] > 0 ? [`${counted(ofNodes[state], 'node')} ${state}`] : []),
    ...(ofWorkloads[state] > 0 ? [`${counted(ofWorkloads[state], 'workload')} ${state}`] : []),
    ...(ofClaims[state] > 0 ? [`${counted(ofClaims[state], 'volume claim')} ${state}`] : []),
  ])
  if (unreadable) parts.push(`${unreadable.kinds.join(', ')} could not be read`)
  return parts.join(', ')
}

function earliest(all: readonly Health[], state: Health['state']): string | null {
  const times = all.filter((each) => each.state === state).flatMap(({ since }) => since ?? [])
  return times.toSorted()[0] ?? null
}

function unreadableHealth({ kinds, reason }: UnreadableKinds): Health {
  return {
    state: 'unknown',
    reason: 'NotReadable',
    detail: `${kinds.join(', ')} could not be read: ${reason}`,
    since: null,
    object: null,
  }
}

function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}
