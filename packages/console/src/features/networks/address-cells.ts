import { type HeldAddress } from '@bey/contract'
import { type AddressRange, parseAddress, parseRange, rangeOf } from '@bey/contract/networks/ranges'

/** Cells of a row, and rows at most; a cell is a part of the range that all are as large as. */
export const columns = 16
const maxRows = 16

/** Ticks of a cell. */
export const cellTicks = 10

export interface Cell {
  /** First address of the cell. */
  first: bigint
  held: number
  /** How many of its ticks are filled; one as soon as anything is held. */
  ticks: number
  /** Index of the subnet that it lies in; undefined where in none, or it is shared by several. */
  subnet: number | undefined
}

export interface AddressCells {
  /** Addresses of a cell. */
  size: bigint
  cells: readonly Cell[]
  rows: number
}

/** A network cut into at most 256 equal cells, each with how much of it is held. */
export function addressCells(
  cidr: string,
  subnets: readonly { cidr: string }[],
  addresses: readonly Pick<HeldAddress, 'address'>[],
): AddressCells {
  const range = rangeOf(cidr)
  const total = range.last - range.first + 1n
  const wanted = BigInt(columns * maxRows)
  const size = total > wanted ? total / wanted : 1n
  const count = Number(total / size)
  const held = Array.from({ length: count }, () => 0)
  for (const text of new Set(addresses.map(({ address }) => address))) {
    const address = parseAddress(text)
    if (address?.family !== range.family || address.value < range.first || address.value > range.last)
      continue
    const at = Number((address.value - range.first) / size)
    held[at] = (held[at] ?? 0) + 1
  }
  const ranges = subnets.map((subnet) => parseRange(subnet.cidr))
  const cells = held.map((inCell, at): Cell => {
    const first = range.first + BigInt(at) * size
    const subnet = ranges.findIndex((each) => !('problem' in each) && isWithin(each, range, first, size))
    return {
      first,
      held: inCell,
      ticks: inCell === 0 ? 0 : Math.max(1, Math.round((inCell / Number(size)) * cellTicks)),
      subnet: subnet === -1 ? undefined : subnet,
    }
  })
  return { size, cells, rows: Math.ceil(count / columns) }
}

function isWithin(subnet: AddressRange, network: AddressRange, first: bigint, size: bigint): boolean {
  return subnet.family === network.family && subnet.first <= first && first + size - 1n <= subnet.last
}

/** How many addresses of a subnet are held. */
export function heldIn(cidr: string, addresses: readonly Pick<HeldAddress, 'address'>[]): number {
  const range = parseRange(cidr)
  if ('problem' in range) return 0
  const within = addresses.filter(({ address: text }) => {
    const address = parseAddress(text)
    return (
      address !== undefined &&
      address.family === range.family &&
      range.first <= address.value &&
      address.value <= range.last
    )
  })
  return new Set(within.map(({ address }) => address)).size
}
