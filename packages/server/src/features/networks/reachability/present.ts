import type { CallOutput } from '@bey/contract'
import type { Gate, ReachAnswer } from '@bey/contract/reachability/can-reach'
import { endpointName } from '@bey/contract/reachability/endpoint-name'
import type { Group } from '@bey/contract/reachability/group'
import type { Change } from '@bey/contract/reachability/propose-change'
import type { PolicyRef } from '@bey/contract/reachability/policy'
import type { SeenBetween } from '@bey/contract/reachability/seen-between'
import type { FlowChange } from '@bey/contract/reachability/what-if'
import { stringify } from 'yaml'

export const presentPolicy = ({ kind, namespace, name }: PolicyRef) => ({
  kind,
  namespace: namespace ?? null,
  name,
})

/** A group under the name by which it can be asked about. */
export const presentGroup = ({ endpoint, name, namespace }: Group) => ({
  id: endpointName(endpoint),
  name,
  namespace: namespace ?? null,
})

/** Connections that were seen, and when the last of them was. */
export const presentSeen = ({ count, lastSeenAtMs = 0 }: { count: number; lastSeenAtMs?: number }) => ({
  count,
  lastSeenAt: lastSeenAtMs === 0 ? null : new Date(lastSeenAtMs).toISOString(),
})

export const presentTries = ({ passed, dropped, lastSeenAtMs }: SeenBetween) => ({
  passed,
  dropped,
  lastSeenAt: lastSeenAtMs === 0 ? null : new Date(lastSeenAtMs).toISOString(),
})

export const presentFlow = ({ from, to, port, was, is, observed }: FlowChange) => ({
  from: presentGroup(from),
  to: presentGroup(to),
  ...port,
  was,
  is,
  observed: observed ? presentSeen(observed) : null,
})

function presentChange(change: Change) {
  const { kind, text } = change
  const network = null
  switch (change.kind) {
    case 'add-rule':
      return {
        kind,
        text,
        policy: presentPolicy(change.policy),
        manifest: stringify({ [change.direction]: [change.rule] }),
        network,
      }
    case 'add-policy': {
      const { namespace, name, spec } = change.policy
      const manifest = {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name, namespace },
        spec,
      }
      const policy = { kind: 'NetworkPolicy', namespace, name }
      return { kind, text, policy, manifest: stringify(manifest), network }
    }
    case 'change-rule':
      return { kind, text, policy: presentPolicy(change.policy), manifest: null, network }
    case 'allow-list':
      return { kind, text, policy: null, manifest: null, network }
  }
}

function presentGate({ kind, state, title, subtitle, text, asked, rule, change }: Gate) {
  return {
    kind,
    state,
    title,
    subtitle,
    text,
    asked: asked.map(presentPolicy),
    rule: rule
      ? { ...presentPolicy(rule.policy), path: rule.path, number: rule.number, text: rule.text }
      : null,
    change: change ? presentChange(change) : null,
  }
}

const presentEnd = (end: ReachAnswer['from']) =>
  end ? { pod: end.pod ?? null, node: end.node ?? null, address: end.address ?? null } : null

/** An answer as a reply; with a doubt about the objects that it was computed from, it is not known. */
export function presentAnswer(
  { answer, sentence, gates, from, to, pairs, notes }: ReachAnswer,
  doubt: string | null,
): Omit<CallOutput<'networks.reachability.check'>, 'asOf' | 'policies' | 'pods' | 'doubt' | 'seen'> {
  return {
    answer: doubt === null ? answer : 'unknown',
    sentence: doubt === null ? sentence : `Not known: ${doubt}`,
    gates: gates.map(presentGate),
    from: presentEnd(from),
    to: presentEnd(to),
    pairs,
    notes: [...notes],
  }
}
