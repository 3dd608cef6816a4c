import { classesSelectedBy, compilePolicies, recompile, type CompiledPolicies } from './compile.ts'
import type { CompiledPolicy } from './compile-standard.ts'
import { endpointText, type Endpoint } from './endpoint.ts'
import {
  columnOf,
  columnsOf,
  groupPods,
  outsideGroup,
  portNumberText,
  type Column,
  type Group,
} from './group.ts'
import { cellAt, flowAsker, matrixOf, type CellState } from './matrix.ts'
import { policyKey, type PolicyRef } from './policy.ts'
import type { PolicySet, PortNumber } from './snapshot.ts'

/** A flow that was seen in the cluster. */
export type ObservedFlow = {
  from: Endpoint
  to: Endpoint
  port: PortNumber
  /** Connections, and when the last of them was seen, in ms since 1970. */
  count?: number
  lastSeenAtMs?: number
}

/** A flow between two groups that a change of policies opens or closes. */
export type FlowChange = {
  from: Group
  to: Group
  port: PortNumber
  was: CellState
  is: CellState
  /** Connections that were seen on it, and when the last of them, in ms since 1970; absent where none was. */
  observed?: { count: number; lastSeenAtMs?: number }
}

export type WhatIf = {
  /** Flows that are open now, at least in part, and less so afterwards; those that were seen first. */
  ends: readonly FlowChange[]
  begins: readonly FlowChange[]
  /** Of the observed flows, those that would end, at least in part. */
  observedEnds: readonly ObservedFlow[]
  /** Policies that differ between the two sets. */
  changed: readonly PolicyRef[]
  sentence: string
}

const openness: Record<CellState, number> = { closed: 0, unknown: 1, partly: 2, open: 3 }

/**
 * Compares the policies of a snapshot with another set. Flows are from workload to workload, on the ports that pods
 * declare, that services lead to and that were observed; for a workload without known ports, on any other port. Only what
 * a changed policy selects is asked about again.
 */
export function whatIf(
  compiled: CompiledPolicies,
  policies: PolicySet,
  observed: readonly ObservedFlow[] = [],
): WhatIf {
  const { snapshot } = compiled
  const before = compiled.classes.fits(policies) ? compiled : compilePolicies(snapshot, [policies])
  const { set, keys: changedKeys } = differing(snapshot, policies)
  const after = recompile(before, set)
  const isChanged = ({ policy }: CompiledPolicy) => changedKeys.has(policyKey(policy))
  const changed = [...before.policies.filter(isChanged), ...after.policies.filter(isChanged)]
  const touched = classesSelectedBy(changed, before.classes.list.length)
  const groups = groupPods(before, 'workload')
  const outside = outsideGroup(before)
  const all = outside ? [...groups, outside] : groups
  const isTouched = ({ ends }: Group, direction: 'ingress' | 'egress') =>
    ends.some(({ party }) => party.podClass && touched[direction][party.podClass.id] === 1)
  const columns = withObserved(columnsOf(before, all), observed)
  const asks = [flowAsker(before), flowAsker(after)] as const
  const ends: FlowChange[] = []
  const begins: FlowChange[] = []
  const compare = (rows: readonly Group[], over: readonly Column[]) => {
    const was = matrixOf(before, rows, over, asks[0])
    const is = matrixOf(after, rows, over, asks[1])
    for (const [row, from] of rows.entries())
      for (const [column, { group, port }] of over.entries()) {
        const change = { from, to: group, port, was: cellAt(was, row, column), is: cellAt(is, row, column) }
        const step = openness[change.is] - openness[change.was]
        if (step < 0) ends.push(change)
        if (step > 0) begins.push(change)
      }
  }
  // What leaves a group that is touched for egress, and what enters one that is touched for ingress from all others.
  const leaving = all.filter((group) => isTouched(group, 'egress'))
  const entering = columns.filter(({ group }) => isTouched(group, 'ingress'))
  compare(leaving, columns)
  compare(
    all.filter((group) => !leaving.includes(group)),
    entering,
  )
  const { seen, observedEnds } = seenAmong(ends, observed)
  return {
    ends: ends
      .map((change) => {
        const own = seen.get(change)
        return own === undefined ? change : { ...change, observed: own }
      })
      .toSorted(seenFirst),
    begins,
    observedEnds,
    changed: [...new Map(changed.map(({ policy }) => [policyKey(policy), policy])).values()],
    sentence: sentenceOf(ends, begins, observed.length > 0 ? seen.size : undefined),
  }
}

/**
 * Keys of the policies that are in one set alone or differ, and the other set with the objects of the first where they are
 * equal, so that these are not compiled again.
 */
function differing(one: PolicySet, other: PolicySet): { keys: Set<string>; set: PolicySet } {
  const keys = new Set<string>()
  const replace = <T extends { name: string; spec: unknown }>(
    before: readonly T[] = [],
    after: readonly T[] = [],
    refOf: (policy: T) => PolicyRef,
  ): T[] => {
    const known = new Map(before.map((policy) => [policyKey(refOf(policy)), policy]))
    const kept = after.map((policy) => {
      const key = policyKey(refOf(policy))
      const own = known.get(key)
      known.delete(key)
      if (own && (own.spec === policy.spec || JSON.stringify(own.spec) === JSON.stringify(policy.spec)))
        return own
      keys.add(key)
      return policy
    })
    for (const key of known.keys()) keys.add(key)
    return kept
  }
  const set = {
    policies: replace(one.policies, other.policies, ({ namespace, name }) => ({
      kind: 'NetworkPolicy',
      namespace,
      name,
    })),
    adminPolicies: replace(one.adminPolicies, other.adminPolicies, ({ name, isBaseline }) => ({
      kind: isBaseline ? 'BaselineAdminNetworkPolicy' : 'AdminNetworkPolicy',
      name,
    })),
    ciliumPolicies: replace(one.ciliumPolicies, other.ciliumPolicies, ({ namespace, name }) =>
      namespace === undefined
        ? { kind: 'CiliumClusterwideNetworkPolicy', name }
        : { kind: 'CiliumNetworkPolicy', namespace, name },
    ),
  }
  return { keys, set }
}

type Seen = NonNullable<FlowChange['observed']>

/** Which of these flows were seen, and the observed ones among them. */
function seenAmong(
  changes: readonly FlowChange[],
  observed: readonly ObservedFlow[],
): { seen: Map<FlowChange, Seen>; observedEnds: ObservedFlow[] } {
  const key = ({ protocol, port }: PortNumber) => `${protocol}/${port}`
  const byPort = Map.groupBy(changes, ({ port }) => key(port))
  const seen = new Map<FlowChange, Seen>()
  const observedEnds = observed.filter((flow) => {
    const own = (byPort.get(key(flow.port)) ?? []).filter(
      ({ from, to }) => isOf(to, flow.to) && isOf(from, flow.from),
    )
    for (const change of own) {
      const before = seen.get(change)
      const lastSeenAtMs = Math.max(before?.lastSeenAtMs ?? 0, flow.lastSeenAtMs ?? 0)
      seen.set(change, {
        count: (before?.count ?? 0) + (flow.count ?? 1),
        ...(lastSeenAtMs > 0 && { lastSeenAtMs }),
      })
    }
    return own.length > 0
  })
  return { seen, observedEnds }
}

const seenFirst = (a: FlowChange, b: FlowChange): number =>
  (b.observed?.count ?? 0) - (a.observed?.count ?? 0)

function isOf({ id, endpoint, ends }: Group, asked: Endpoint): boolean {
  if (asked.kind === 'pod')
    return ends.some(({ pod }) => pod?.namespace === asked.namespace && pod.name === asked.name)
  if (asked.kind === 'address') return endpoint.kind === 'address'
  if (asked.kind !== 'workload' || endpoint.kind !== 'workload') return false
  const isSame = asked.namespace === endpoint.namespace && asked.name === endpoint.name
  return isSame && (asked.workloadKind === undefined || id.startsWith(`${asked.workloadKind}/`))
}

/** Columns also for ports that nobody declares and that were used. */
function withObserved(columns: readonly Column[], observed: readonly ObservedFlow[]): Column[] {
  const added: Column[] = []
  for (const { to, port } of observed) {
    const own = [...columns, ...added].filter(({ group }) => isOf(group, to))
    const [first] = own
    if (first && !own.some((one) => one.port.port === port.port && one.port.protocol === port.protocol))
      added.push(columnOf(first.group, port))
  }
  return [...columns, ...added]
}

const flows = (count: number, rest: string) => `${count} ${count === 1 ? 'flow' : 'flows'}${rest}`

function sentenceOf(ends: readonly FlowChange[], begins: readonly FlowChange[], used?: number): string {
  const begin = begins.length > 0 ? ` ${flows(begins.length, '')} would begin.` : ''
  if (ends.length === 0)
    return begin === '' ? 'No flow between workloads would change.' : `No flow would end.${begin}`
  if (used === undefined)
    return `${flows(ends.length, ' that are open today would end.').replace('1 flow that are', '1 flow that is')}${begin}`
  if (used === 0)
    return `No flow that was seen would end; ${ends.length} that nobody used would close.${begin}`
  return `${flows(used, ' that exist today would end.').replace('1 flow that exist', '1 flow that exists')}${begin}`
}

/** `shop/search → data/orders on 5432/TCP`. */
export function flowText({ from, to, port }: FlowChange): string {
  return `${endpointText(from.endpoint)} → ${endpointText(to.endpoint)} on ${portNumberText(port)}`
}
