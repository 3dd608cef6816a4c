import type { Network } from '../../data/networks.ts'
import { addressCount } from '../../entities/networks/network-text.ts'

/** A tick for each sixteenth of a network, filled by how many of its addresses something has. */
export function PartTicks({ network }: { network: Network }) {
  const { figures } = network
  if (figures === null) return <>—</>
  const each = addressCount(network) / figures.parts.length
  return (
    <svg
      width={95}
      height={16}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
      role="img"
      aria-label={`${figures.parts.filter((held) => held > 0).length} of 16 parts are in use`}
    >
      {figures.parts.map((held, at) => {
        const filled = held === 0 ? 0 : Math.max(2, Math.min(1, held / each) * 16)
        return held === 0 ? (
          <rect key={at} x={at * 6} y={15} width={5} height={1} className="fill-control" />
        ) : (
          <g key={at}>
            <rect x={at * 6} y={0} width={5} height={16} className="fill-sunken" />
            <rect x={at * 6} y={16 - filled} width={5} height={filled} className="fill-text-3" />
          </g>
        )
      })}
    </svg>
  )
}
