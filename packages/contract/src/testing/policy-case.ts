import type { StandardPolicy } from '../reachability/policy.ts'
import type { PortNumber } from '../reachability/snapshot.ts'
import { policy, tcp80 } from './network-facts.ts'

/** Names of pods, `x/a` to `z/c`. */
type Flow = (from: string, to: string) => boolean

/** Policies, and which of the 81 flows among the pods of `nineFacts` are open on a port. A pod always reaches itself. */
export type PolicyCase = {
  title: string
  policies: readonly StandardPolicy[]
  open: readonly (readonly [PortNumber, Flow])[]
}

export const always: Flow = () => true
export const never: Flow = () => false
export const into =
  (pods: string, allowed: Flow): Flow =>
  (from, to) =>
    !pods.split(' ').includes(to) || allowed(from, to)
export const outOf =
  (pods: string, allowed: Flow): Flow =>
  (from, to) =>
    !pods.split(' ').includes(from) || allowed(from, to)
export const from =
  (...names: string[]): Flow =>
  (source) =>
    names.some((name) => source.startsWith(name))
export const to =
  (...names: string[]): Flow =>
  (_, target) =>
    names.some((name) => target.startsWith(name))
export const not =
  (flow: Flow): Flow =>
  (a, b) =>
    !flow(a, b)
export const allX = 'x/a x/b x/c'
export const ns = (...names: string[]) => ({
  matchExpressions: [{ key: 'ns', operator: 'In', values: names }],
})
export const pods = (...names: string[]) => ({
  matchExpressions: [{ key: 'pod', operator: 'In', values: names }],
})
export const b = { matchLabels: { pod: 'b' } }
export const everywhere = { podSelector: {}, namespaceSelector: {} }
export const tcp = (port: number | string, endPort?: number) => ({ protocol: 'TCP', port, endPort })

export const one = (
  title: string,
  spec: StandardPolicy['spec'],
  ...open: [PortNumber, Flow][]
): PolicyCase => ({
  title,
  policies: [policy(spec)],
  open,
})

/** What a policy with this rule lets into x/a on TCP 80. */
export const ingress = (
  title: string,
  rule: NonNullable<StandardPolicy['spec']['ingress']>[number],
  flow: Flow,
) => one(title, { ingress: [rule] }, [tcp80, into('x/a', flow)])
export const egress = (
  title: string,
  rule: NonNullable<StandardPolicy['spec']['egress']>[number],
  flow: Flow,
) => one(title, { policyTypes: ['Egress'], egress: [rule] }, [tcp80, outOf('x/a', flow)])
