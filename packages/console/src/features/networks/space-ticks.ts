import {
  type AddressRange,
  commonAddresses,
  overlaps,
  parseRange,
  rangeAt,
  rangeOf,
} from '@bey/contract/networks/ranges'
import type { NetworkSpace } from '../../data/networks.ts'

/** The private spaces that are drawn, and how long the range of one tick is. */
export const spaces = [
  { cidr: '10.0.0.0/8', tickPrefix: 16 },
  { cidr: '172.16.0.0/12', tickPrefix: 16 },
  { cidr: '192.168.0.0/16', tickPrefix: 24 },
  { cidr: 'fd00::/8', tickPrefix: 16 },
] as const

export type Claim = NetworkSpace['claims'][number]

export interface Tick {
  range: AddressRange
  claims: readonly Claim[]
  /** Share of the tick's addresses that are claimed, 0 to 1. */
  share: number
  /** Two who do not belong together claim the same addresses. */
  isContested: boolean
}

/** The ticks of a space from its first address to its last. */
export function ticksOf(space: (typeof spaces)[number], claims: readonly Claim[]): Tick[] {
  const whole = rangeOf(space.cidr)
  const size = 1n << BigInt((whole.family === 4 ? 32 : 128) - space.tickPrefix)
  const count = Number((whole.last - whole.first + 1n) / size)
  const within = claims.flatMap((claim) => {
    const range = parseRange(claim.cidr)
    return 'problem' in range || !overlaps(range, whole) ? [] : [{ claim, range }]
  })
  return Array.from({ length: count }, (_, at) => {
    const range = rangeAt(whole.first + BigInt(at) * size, whole.family, space.tickPrefix)
    const here = within.filter((each) => overlaps(each.range, range))
    const taken = here.reduce((sum, each) => sum + Number(commonAddresses(each.range, range)), 0)
    return {
      range,
      claims: here.map(({ claim }) => claim),
      share: Math.min(1, taken / Number(size)),
      isContested: here.some((one) =>
        here.some(
          (other) => isNetwork(one) && isNetwork(other) && one !== other && overlaps(one.range, other.range),
        ),
      ),
    }
  })
}

const isNetwork = ({ claim }: { claim: Claim }) => claim.kind === 'network'

/** "prod-eu", "pods of staging": who claims, in a word or two. */
const claimLabel = ({ kind, name }: Claim): string => (kind === 'network' ? name : `${kind} of ${name}`)

export interface TickLabel {
  /** First tick of the run of ticks that it names. */
  at: number
  text: string
}

/** Names above the ticks: of each claim where it begins. */
export function labelsOf(ticks: readonly Tick[]): TickLabel[] {
  const labels: TickLabel[] = []
  let before = new Set<string>()
  for (const [at, { claims }] of ticks.entries()) {
    const names = new Set(claims.map(claimLabel))
    const begun = [...names].filter((name) => !before.has(name))
    if (begun.length > 0) labels.push({ at, text: begun.join(', ') })
    before = names
  }
  return labels
}
