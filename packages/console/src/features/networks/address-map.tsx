import { type HeldAddress } from '@bey/contract'
import { addressText, rangeOf } from '@bey/contract/networks/ranges'
import type { Network } from '../../data/networks.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { useWidth } from '../../ui/use-width.ts'
import { addressCells, type AddressCells, type Cell, cellTicks, columns } from './address-cells.ts'

const label = 64
const cellHeight = 26
const rowGap = 4
const cellGap = 3

/** A network as cells with ticks: what is held, and where each subnet lies. */
export function AddressMap({
  network: { cidr, subnets },
  addresses,
  chosen,
  onChoose,
}: {
  network: Pick<Network, 'cidr' | 'subnets'>
  addresses: readonly HeldAddress[]
  /** Index of a cell. */
  chosen: number | undefined
  onChoose: (cell: number) => void
}) {
  const [ref, width] = useWidth()
  const map = addressCells(cidr, subnets, addresses)
  const cellWidth = Math.min(42, Math.floor((width - label) / columns) - cellGap)
  const height = map.rows * (cellHeight + rowGap)
  return (
    <div ref={ref} className="overflow-hidden" style={{ minHeight: height }}>
      {cellWidth > 4 ? (
        <svg
          width={label + columns * (cellWidth + cellGap)}
          height={height}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
          role="img"
          aria-label={`${formatCount(map.cells.filter(({ held }) => held > 0).length, 'part')} of ${formatNumber(map.cells.length)} are in use`}
          className="block"
        >
          {Array.from({ length: map.rows }, (_, row) => (
            <text
              key={row}
              x={0}
              y={row * (cellHeight + rowGap) + 17}
              className="fill-text-2 text-meta tabular-nums"
            >
              {rowText(map, row, cidr)}
            </text>
          ))}
          {subnetLabels(map, subnets, cellWidth + cellGap).map(({ name, x, y, width: room }) => (
            <text key={name} x={x} y={y} className="fill-text-3 text-meta" aria-hidden>
              {fitted(`← ${name}`, room)}
            </text>
          ))}
          {map.cells.map((cell, at) => (
            <CellBox
              key={at}
              cell={cell}
              x={label + (at % columns) * (cellWidth + cellGap)}
              y={Math.floor(at / columns) * (cellHeight + rowGap)}
              width={cellWidth}
              name={cell.subnet === undefined ? undefined : subnets[cell.subnet]?.name}
              isChosen={at === chosen}
              title={titleOf(cell, map, cidr, subnets)}
              onChoose={() => onChoose(at)}
            />
          ))}
        </svg>
      ) : null}
    </div>
  )
}

/** Names of subnets beside their last cell, where the row has room; the list beside the map has all. */
function subnetLabels({ cells }: AddressCells, subnets: Network['subnets'], pitch: number) {
  return subnets.flatMap(({ name }, subnet) => {
    const last = cells.findLastIndex((cell) => cell.subnet === subnet)
    if (last === -1) return []
    const row = Math.floor(last / columns)
    const after = cells.slice(last + 1, (row + 1) * columns)
    const taken = after.findIndex((cell) => cell.subnet !== undefined || cell.held > 0)
    const width = (taken === -1 ? after.length : taken) * pitch - 8
    if (width < 60) return []
    const x = label + ((last % columns) + 1) * pitch + 4
    return [{ name, x, y: row * (cellHeight + rowGap) + 17, width }]
  })
}

const letterWidth = 6.2
const fitted = (text: string, width: number): string =>
  text.length * letterWidth <= width ? text : `${text.slice(0, Math.floor(width / letterWidth) - 1)}…`

function CellBox({
  cell,
  x,
  y,
  width,
  name,
  isChosen,
  title,
  onChoose,
}: {
  cell: Cell
  x: number
  y: number
  width: number
  name: string | undefined
  isChosen: boolean
  title: string
  onChoose: () => void
}) {
  const pitch = (width - 4) / cellTicks
  return (
    // The table beside it does the same by keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <g onClick={onChoose} className="cursor-pointer">
      <title>{title}</title>
      {name === undefined && cell.held === 0 ? (
        <rect x={x} y={y + cellHeight - 2} width={width} height={1} className="fill-line-strong" />
      ) : (
        <rect
          x={x + 0.5}
          y={y + 0.5}
          width={width - 1}
          height={cellHeight - 1}
          rx={3}
          className={
            isChosen
              ? 'fill-accent-soft stroke-accent'
              : name === undefined
                ? 'fill-transparent stroke-line'
                : 'fill-transparent stroke-text-3'
          }
        />
      )}
      <rect x={x} y={y} width={width} height={cellHeight} className="fill-transparent" />
      {Array.from({ length: cellTicks }, (_, tick) =>
        tick < cell.ticks ? (
          <rect key={tick} x={x + 3 + tick * pitch} y={y + 6} width={2} height={14} className="fill-text-3" />
        ) : name === undefined && cell.held === 0 ? null : (
          <rect
            key={tick}
            x={x + 3 + tick * pitch}
            y={y + 18}
            width={2}
            height={2}
            className="fill-control"
          />
        ),
      )}
    </g>
  )
}

function titleOf(cell: Cell, { size }: AddressCells, cidr: string, subnets: Network['subnets']): string {
  const { family } = rangeOf(cidr)
  const from = addressText(cell.first, family)
  const to = addressText(cell.first + size - 1n, family)
  const subnet = cell.subnet === undefined ? 'in no subnet' : `subnet ${subnets[cell.subnet]?.name}`
  return `${from === to ? from : `${from} – ${to}`}: ${formatNumber(cell.held)} in use, ${subnet}`
}

/** "42.16": the part of the first address of a row that changes. */
function rowText({ cells }: AddressCells, row: number, cidr: string): string {
  const { family } = rangeOf(cidr)
  const first = cells[row * columns]
  if (first === undefined) return ''
  const text = addressText(first.first, family)
  if (family === 6) return text.length > 9 ? `…${text.slice(-8)}` : text
  const parts = text.split('.')
  const { prefix } = rangeOf(cidr)
  return prefix >= 24
    ? `.${parts[3]}`
    : prefix >= 16
      ? parts.slice(1, 3).join('.')
      : parts.slice(0, 2).join('.')
}
