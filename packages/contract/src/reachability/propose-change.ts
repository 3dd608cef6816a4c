import type { CompiledPolicies } from './compile.ts'
import type { Decision } from './decide.ts'
import { indexesOf, workloadOf, type End } from './endpoint.ts'
import { policyName } from './gate-text.ts'
import type { IpNetwork } from './ip-network.ts'
import { labelTest, selectorText, type Labels } from './label-selector.ts'
import type { Direction, PolicyRef, StandardPeer, StandardPolicy, StandardRule } from './policy.ts'
import type { DatabaseFacts, PodFacts } from './snapshot.ts'
import type { Target } from './translate.ts'

/** What opens one gate. The rules are as the API takes them. */
export type Change =
  | { kind: 'add-rule'; policy: PolicyRef; direction: Direction; rule: StandardRule; text: string }
  | { kind: 'add-policy'; direction: Direction; policy: StandardPolicy; text: string }
  /** A rule that denies comes first: nothing that is added behind it opens the gate. */
  | { kind: 'change-rule'; policy: PolicyRef; path: string; text: string }
  | { kind: 'allow-list'; databaseId: string; networks: readonly string[]; text: string }

/** Labels that a controller gives to one generation of pods or to one pod. */
const passing =
  /(^|\/)(pod-template-hash|controller-revision-hash|pod-template-generation|controller-uid|job-name|pod-name|pod-index|completion-index)$/
/** Labels that usually name a workload, the best first. */
const usual = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/component',
  'app.kubernetes.io/instance',
  'app',
  'k8s-app',
  'name',
]

/**
 * The fewest labels that choose the pods of a pod's workload and no others of the namespace. Where none do, all labels
 * that they share.
 */
export function labelsOfWorkload(pods: readonly PodFacts[], one: PodFacts): Labels {
  const own = workloadOf(one)
  const within = indexesOf(pods, (pod) => pod.namespace === one.namespace).flatMap(
    (index) => pods[index] ?? [],
  )
  const isIts = (pod: PodFacts) => workloadOf(pod).name === own.name && workloadOf(pod).kind === own.kind
  const mine = within.filter(isIts)
  const shared = Object.entries(one.labels)
    .filter(([key, value]) => !passing.test(key) && mine.every((pod) => pod.labels[key] === value))
    .toSorted(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1))
  const isExact = (entries: [string, string][]) => {
    const test = labelTest({ matchLabels: Object.fromEntries(entries) })
    return within.every((pod) => test(pod.labels) === isIts(pod))
  }
  for (const entry of shared) if (isExact([entry])) return Object.fromEntries([entry])
  for (const [index, entry] of shared.entries())
    for (const other of shared.slice(index + 1))
      if (isExact([entry, other])) return Object.fromEntries([entry, other])
  return Object.fromEntries(shared)
}

const order = (key: string) => (usual.includes(key) ? usual.indexOf(key) : usual.length)

/** A network as text; only of one address, as ends have them. */
export function networkText({ bits, value, prefix }: IpNetwork): string {
  const size = bits === 32 ? 8n : 16n
  const parts = Array.from({ length: bits === 32 ? 4 : 8 }, (_, index) => {
    const shift = BigInt(bits) - size * BigInt(index + 1)
    const part = (value >> shift) & ((1n << size) - 1n)
    return part.toString(bits === 32 ? 10 : 16)
  })
  return `${parts.join(bits === 32 ? '.' : ':')}/${prefix}`
}

function peerOf({ pods }: { pods: readonly PodFacts[] }, end: End, ownNamespace: string): StandardPeer[] {
  const { pod, party } = end
  if (!pod || pod.hostNetwork) return party.networks.map((one) => ({ ipBlock: { cidr: networkText(one) } }))
  const podSelector = { matchLabels: labelsOfWorkload(pods, pod) }
  if (pod.namespace === ownNamespace) return [{ podSelector }]
  return [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': pod.namespace } }, podSelector },
  ]
}

/** The smallest rule that opens a closed gate: in a policy that chooses these pods alone, else in a new one. */
export function proposeRule(
  compiled: CompiledPolicies,
  direction: Direction,
  closed: Decision,
  source: End,
  target: Target,
): Change | undefined {
  const [own, other] = direction === 'egress' ? [source, target] : [target, source]
  const { pod } = own
  if (!pod) return undefined
  if (closed.because === 'deny-rule' && closed.rule) {
    const { policy, path, number } = closed.rule
    const text = `Rule ${number} of ${policyName(policy)} denies it. Change that rule, or let one before it allow this flow.`
    return { kind: 'change-rule', policy, path, text }
  }
  const { snapshot } = compiled
  const peers = peerOf(snapshot, other, pod.namespace)
  const { protocol, port } = target.port
  const side = direction === 'egress' ? 'to' : 'from'
  const rule: StandardRule = { [side]: peers, ports: [{ protocol, port }] }
  const labels = labelsOfWorkload(snapshot.pods, pod)
  const workload = workloadOf(pod)
  const mine = new Set(
    indexesOf(
      snapshot.pods,
      (one) => one.namespace === pod.namespace && workloadOf(one).name === workload.name,
    ),
  )
  const selectsOnlyMine = (selected: Uint8Array) =>
    compiled.classes.list.every(
      ({ id, pods }) => selected[id] === 0 || pods.every((index) => mine.has(index)),
    )
  const home = compiled.policies.find(
    ({ policy, selected, directions }) =>
      policy.kind === 'NetworkPolicy' &&
      closed.asked.some((one) => one.name === policy.name && one.namespace === policy.namespace) &&
      directions.includes(direction) &&
      selectsOnlyMine(selected),
  )
  const what = `${other.pod ? workloadOf(other.pod).name : peers.map((one) => one.ipBlock?.cidr).join(', ')}, ${protocol} ${port}`
  if (home)
    return {
      kind: 'add-rule',
      policy: home.policy,
      direction,
      rule,
      text: `Add a rule to ${policyName(home.policy)}: ${direction} ${side} ${what}.`,
    }
  const name = `allow-${workload.name}-${direction}`.slice(0, 63).replace(/[^a-z0-9]+$/, '')
  const policy: StandardPolicy = {
    namespace: pod.namespace,
    name: freeName(compiled, pod.namespace, name),
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: [direction === 'egress' ? 'Egress' : 'Ingress'],
      [direction]: [rule],
    },
  }
  const text = `Add a policy for pods ${selectorText({ matchLabels: labels })} of ${pod.namespace}: ${direction} ${side} ${what}.`
  return { kind: 'add-policy', direction, policy, text }
}

function freeName({ snapshot }: CompiledPolicies, namespace: string, name: string): string {
  const taken = new Set(snapshot.policies.filter((one) => one.namespace === namespace).map((one) => one.name))
  for (let number = 1; ; number += 1) {
    const own = number === 1 ? name : `${name}-${number}`
    if (!taken.has(own)) return own
  }
}

export function proposeForAllowList({ id, name }: DatabaseFacts, source: End): Change {
  const networks = source.party.networks.map(networkText)
  return {
    kind: 'allow-list',
    databaseId: id,
    networks,
    text: `Add ${networks.join(', ')} to the allow-list of ${name}.`,
  }
}
