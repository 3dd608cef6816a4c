import { isDeepStrictEqual } from 'node:util'

import type { NamedSet } from '@bey/contract/networks/rules'
import {
  groupProblems,
  type GroupSurroundings,
  type RuleTarget,
  type SecurityGroupDraft,
  securityGroupLimits as limits,
  type SecurityRule,
} from '@bey/contract/networks/security-group-rules'

import { groupPlaces, type RenderedGroup, renderGroups } from '../groups/render-groups.ts'
import type { ServicesOf } from '../groups/service-peers.ts'
import type { Spec } from '../policy-rows.ts'
import {
  type Inexpressible,
  type Opening,
  openingKey,
  type ReadPolicy,
  readOpenings,
} from './policy-openings.ts'

type Around = {
  network: string
  subnets: readonly { name: string; cidr: string }[]
  sets: readonly NamedSet[]
  servicesOf: ServicesOf
}

/** The policy of one target of a security group. */
export type OwnedPolicy = { group: RenderedGroup; targetIndex: number; target: RuleTarget }

/** The group and target whose policy has this place; undefined where no group has it. */
export function ownerOf(
  groups: readonly RenderedGroup[],
  network: string,
  place: { clusterId: number; namespace: string; name: string },
): OwnedPolicy | undefined {
  for (const group of groups)
    for (const [targetIndex, { target, ...own }] of groupPlaces(group, network).entries())
      if (own.clusterId === place.clusterId && own.namespace === place.namespace && own.name === place.name)
        return { group, targetIndex, target }
  return undefined
}

/**
 * The group as it has to be for the policy of one of its targets to open what `found` opens, and nothing else. Rules that
 * `found` still contains are kept as they are, with their notes and with the groups and subnets that they name; what is
 * new becomes rules. `found` null: the policy was deleted, so that the group has that target no more.
 */
export function draftOfPolicy(
  found: Spec | null,
  { group, targetIndex, target }: OwnedPolicy,
  groups: readonly RenderedGroup[],
  around: Around & { checked: GroupSurroundings },
): SecurityGroupDraft | Inexpressible {
  const { filtersIn, filtersOut, rules, targets } = group
  const checked = (draft: SecurityGroupDraft) => limitOf(draft) ?? problemOf(draft, around.checked) ?? draft
  if (found === null) {
    const left = targets.filter((_, index) => index !== targetIndex)
    return checked({ filtersIn, filtersOut, rules: [...rules], targets: left })
  }
  const read = readOpenings(found, target.namespace)
  if ('member' in read) return read
  const { labels } = read
  const changed = { ...target, labels }
  const draftWith = (kept: readonly SecurityRule[]): SecurityGroupDraft => ({
    filtersIn: read.filtersIn,
    filtersOut: read.filtersOut,
    rules: [...kept, ...rulesOf(withoutThose(read.openings, openingsOf(kept, target, groups, around)))],
    targets: targets.map((each, index) => (index === targetIndex ? changed : each)),
  })
  const whole = draftWith(keptRules(read, group, target, groups, around))
  // A rule that names its own group means other pods once the labels of its target change: then all is written anew.
  const isSame = opensTheSame(whole, read, changed, group, groups, around)
  return checked(isSame ? whole : draftWith([]))
}

/** Rules that open nothing but what was found, and rules about other clusters, which open nothing here. */
function keptRules(
  read: ReadPolicy,
  group: RenderedGroup,
  target: RuleTarget,
  groups: readonly RenderedGroup[],
  around: Around,
): SecurityRule[] {
  const found = new Set(read.openings.map(openingKey))
  return group.rules.filter((rule) => {
    const isFiltered = rule.direction === 'in' ? read.filtersIn : read.filtersOut
    if (!isFiltered) return false
    return openingsOf([rule], target, groups, around).every((each) => found.has(openingKey(each)))
  })
}

/** What rules open on one target. */
function openingsOf(
  rules: readonly SecurityRule[],
  target: RuleTarget,
  groups: readonly RenderedGroup[],
  around: Around,
): Opening[] {
  const alone = rules.map((rule): RenderedGroup => ({
    id: '',
    name: 'rule',
    filtersIn: true,
    filtersOut: true,
    rules: [rule],
    targets: [target],
  }))
  // The others are there to be named by a rule; what they open themselves is not asked.
  const others = groups.map((each) => ({ ...each, rules: [] }))
  return renderGroups([...alone, ...others], around)
    .slice(0, alone.length)
    .flatMap(({ spec }) => {
      const read = readOpenings(spec, target.namespace)
      if ('member' in read)
        throw new Error(`A rule of a group wrote ${read.member}, which cannot be read back`)
      return read.openings
    })
}

function opensTheSame(
  draft: SecurityGroupDraft,
  read: ReadPolicy,
  target: RuleTarget,
  group: RenderedGroup,
  groups: readonly RenderedGroup[],
  around: Around,
): boolean {
  const changed = groups.map((each) => (each.id === group.id ? { ...each, ...draft } : each))
  const [opened, found] = [openingsOf(draft.rules, target, changed, around), read.openings].map(
    (openings) => new Set(openings.map(openingKey)),
  )
  return isDeepStrictEqual(opened, found)
}

function withoutThose(openings: readonly Opening[], covered: readonly Opening[]): Opening[] {
  const keys = new Set(covered.map(openingKey))
  return openings.filter((each) => !keys.has(openingKey(each)))
}

/** Openings as rules: those to one peer by one protocol together, as many as a rule can hold. */
function rulesOf(openings: readonly Opening[]): SecurityRule[] {
  const byPeer = Map.groupBy(openings, (each) => openingKey({ ...each, port: '' }))
  return [...byPeer.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { direction, protocol, peer } = first
    const rule = { direction, action: 'allow', protocol, peer, note: '' } as const
    const ports = group.map(({ port }) => port)
    if (ports.includes('')) return [{ ...rule, ports: [] }]
    return Array.from({ length: Math.ceil(ports.length / limits.ports) }, (_, nth) => ({
      ...rule,
      ports: ports.slice(nth * limits.ports, (nth + 1) * limits.ports),
    }))
  })
}

function limitOf({ rules, targets }: SecurityGroupDraft): Inexpressible | undefined {
  if (rules.length > limits.rules) {
    return {
      member: 'ingress',
      reason: `It needs ${rules.length} rules; a group has at most ${limits.rules}.`,
    }
  }
  const most = (labels: object) => Object.keys(labels).length > limits.labels
  const isOver =
    targets.some(({ labels }) => most(labels)) ||
    rules.some(({ peer }) => peer.kind === 'workload' && most(peer.labels))
  return isOver
    ? { member: 'podSelector', reason: `Pods are chosen by at most ${limits.labels} labels.` }
    : undefined
}

function problemOf(draft: SecurityGroupDraft, around: GroupSurroundings): Inexpressible | undefined {
  const [first] = groupProblems(draft, around)
  return first && { member: first.path, reason: first.message }
}
