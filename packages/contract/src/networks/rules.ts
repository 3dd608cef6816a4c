import { type AddressRange, commonAddresses, contains, overlaps, parseRange, rangeRefusal } from './ranges.ts'

/** The kinds of objects by which a network is kept in clusters. */
export const policyKinds = ['NetworkPolicy', 'CiliumNetworkPolicy'] as const
export type PolicyKind = (typeof policyKinds)[number]

export const networkLimits = {
  perOrganization: 100,
  subnets: 100,
  sets: 50,
  setRanges: 50,
  attachments: 100,
  description: 500,
  region: 60,
  /** Ranges and policies that one answer lists. */
  claims: 100_000,
  policies: 20_000,
  /** Addresses that one answer lists; the counts are of all. */
  addresses: 5_000,
} as const

/** A name that is part of the names of policies in clusters. */
export const isValidNetworkName = (text: string): boolean => /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/.test(text)

export const networkNameRule =
  'Use 1 to 40 lower-case letters, digits and hyphens; begin with a letter, end with a letter or digit.'

/** Addresses that something in the organization has or will give out. */
export type AddressClaim = {
  kind: 'network' | 'pods' | 'services'
  cidr: string
  /** Of the network or the cluster. */
  name: string
  networkId: string | null
  clusterId: number | null
}

const claimText = ({ kind, name, cidr }: AddressClaim): string =>
  ({
    network: `the network ${name} (${cidr})`,
    pods: `the pods of the cluster ${name} (${cidr})`,
    services: `the services of the cluster ${name} (${cidr})`,
  })[kind]

/** One that something of the draft is wrong with, by the path of its field: `cidr`, `subnets.2.cidr`. */
export type NetworkProblem = { path: string; message: string }

/** Ranges under one name, which rules of security groups name as their peer: an office, a partner. */
export type NamedSet = { name: string; cidrs: string[] }

export type NetworkDraft = {
  cidr: string
  /** Null or empty where the network has no addresses of IPv6. */
  cidr6: string | null
  subnets: readonly { name: string; cidr: string }[]
  sets: readonly NamedSet[]
  /** Clusters that are attached, in whole or by a namespace. */
  clusterIds: readonly number[]
}

const count = (addresses: bigint) =>
  addresses === 1n ? '1 address' : `${addresses.toLocaleString('en-US')} addresses`

/**
 * What is wrong with the ranges of a network, beside all that others claim; empty where nothing is. The claims of
 * the network itself are to be left out.
 */
export function networkProblems(draft: NetworkDraft, claims: readonly AddressClaim[]): NetworkProblem[] {
  const problems: NetworkProblem[] = []
  const main = checked(draft.cidr, 'cidr', 4, problems)
  const second = draft.cidr6 ? checked(draft.cidr6, 'cidr6', 6, problems) : undefined
  for (const [path, range] of [['cidr', main] as const, ['cidr6', second] as const]) {
    const taken = range && claimAgainst(range, claims, draft.clusterIds)
    if (taken) problems.push({ path, message: taken })
  }
  const whole = [main, second].filter((range) => range !== undefined)
  problems.push(...subnetProblems(draft.subnets, whole), ...setProblems(draft.sets))
  return problems
}

function setProblems(sets: readonly NamedSet[]): NetworkProblem[] {
  return sets.flatMap(({ name, cidrs }, at) => {
    const problems: NetworkProblem[] = []
    const say = (field: string, message: string) => problems.push({ path: `sets.${at}.${field}`, message })
    if (!isValidNetworkName(name)) say('name', networkNameRule)
    else if (sets.findIndex((other) => other.name === name) !== at)
      say('name', `Two named sets are called "${name}".`)
    if (cidrs.length === 0) say('cidrs', 'Enter at least one range, such as 203.0.113.0/24.')
    for (const [index, cidr] of cidrs.entries()) {
      const range = parseRange(cidr)
      if ('problem' in range) say('cidrs', range.problem)
      else if (cidrs.indexOf(cidr) !== index) say('cidrs', `${cidr} is in the set twice.`)
    }
    return problems
  })
}

function checked(
  text: string,
  path: string,
  family: 4 | 6,
  problems: NetworkProblem[],
): AddressRange | undefined {
  const range = parseRange(text)
  if ('problem' in range) {
    problems.push({ path, message: range.problem })
    return undefined
  }
  if (range.family !== family) {
    problems.push({
      path,
      message: `This is an IPv${range.family} range; an IPv${family} range belongs here.`,
    })
    return undefined
  }
  const shortest = family === 4 ? 29 : 120
  const refusal =
    range.prefix > shortest
      ? `${range.cidr} is too small for a network: choose /${shortest} or a smaller number after the slash.`
      : rangeRefusal(range)
  if (refusal === undefined) return range
  problems.push({ path, message: refusal })
  return undefined
}

/** Which claim a range collides with, in a sentence; undefined where with none. */
function claimAgainst(
  range: AddressRange,
  claims: readonly AddressClaim[],
  clusterIds: readonly number[],
): string | undefined {
  for (const claim of claims) {
    const other = parseRange(claim.cidr)
    if ('problem' in other || !overlaps(range, other)) continue
    // A cluster that takes the addresses of its pods out of its network.
    const isOwn = claim.clusterId !== null && clusterIds.includes(claim.clusterId)
    if (isOwn && contains(range, other)) continue
    const common = count(commonAddresses(range, other))
    return `${range.cidr} and ${claimText(claim)} have ${common} in common. Choose a range apart from it.`
  }
  return undefined
}

function subnetProblems(subnets: NetworkDraft['subnets'], whole: readonly AddressRange[]): NetworkProblem[] {
  const problems: NetworkProblem[] = []
  const before: { name: string; range: AddressRange }[] = []
  for (const [at, { name, cidr }] of subnets.entries()) {
    const named = subnets.findIndex((other) => other.name === name)
    if (named !== at) {
      problems.push({ path: `subnets.${at}.name`, message: `Two subnets are called "${name}".` })
    }
    const path = `subnets.${at}.cidr`
    const range = parseRange(cidr)
    if ('problem' in range) {
      problems.push({ path, message: range.problem })
      continue
    }
    if (whole.length > 0 && !whole.some((each) => contains(each, range))) {
      const ranges = whole.map((each) => each.cidr).join(' and ')
      problems.push({ path, message: `${range.cidr} does not lie within the network (${ranges}).` })
      continue
    }
    const other = before.find((each) => overlaps(each.range, range))
    if (other !== undefined) {
      const common = count(commonAddresses(range, other.range))
      problems.push({
        path,
        message: `${range.cidr} and the subnet ${other.name} (${other.range.cidr}) have ${common} in common.`,
      })
    }
    before.push({ name, range })
  }
  return problems
}

type Attachment =
  | { kind: 'cluster'; clusterId: number }
  | { kind: 'namespace'; clusterId: number; namespace: string }
  | { kind: 'database'; databaseId: string }

/** Whether two mean the same thing. */
export function sameAttachment(one: Attachment, other: Attachment): boolean {
  if (one.kind === 'database') return other.kind === 'database' && one.databaseId === other.databaseId
  if (other.kind === 'database' || one.clusterId !== other.clusterId) return false
  const namespaceOf = (each: typeof one) => (each.kind === 'namespace' ? each.namespace : '')
  return namespaceOf(one) === namespaceOf(other)
}
