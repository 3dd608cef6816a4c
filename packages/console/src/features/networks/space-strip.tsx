import { useState } from 'react'
import type { NetworkSpace } from '../../data/networks.ts'
import { cx } from '../../ui/class-names.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { labelsOf, spaces, type Tick, ticksOf } from './space-ticks.ts'

const height = 96
const tickHeight = 40
const labelWidth = 96
const labelRows = 2

/** Every address that the organization may use, a tick for each part, filled by who claims it. */
export function SpaceStrip({ space }: { space: NetworkSpace | undefined }) {
  const [chosen, setChosen] = useState<(typeof spaces)[number]['cidr']>(spaces[0].cidr)
  const drawn = spaces.find(({ cidr }) => cidr === chosen) ?? spaces[0]
  const ticks = ticksOf(drawn, space?.claims ?? [])
  const free = ticks.filter(({ claims }) => claims.length === 0).length
  return (
    <section aria-label="Address space" className="border-b border-line px-(--gutter) pt-3 pb-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-text-2">
          <span className="font-semibold text-text tabular-nums">{drawn.cidr}</span> a tick for each /
          {drawn.tickPrefix}; {free} of {ticks.length} are free
        </p>
        <Segmented
          label="Address space"
          options={spaces.map(({ cidr }) => ({ value: cidr, label: cidr }))}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      <Strip ticks={ticks} prefix={drawn.tickPrefix} />
    </section>
  )
}

function Strip({ ticks, prefix }: { ticks: readonly Tick[]; prefix: number }) {
  const [ref, width] = useWidth()
  const pitch = width / ticks.length
  const thick = Math.max(2, Math.min(pitch - 1, 12))
  const base = height - 18
  return (
    <div ref={ref} className="mt-1 w-full overflow-hidden" style={{ height }}>
      {width > 0 ? (
        <svg
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
          role="img"
          aria-label={spoken(ticks)}
          width={width}
          height={height}
          className="block"
        >
          {ticks.map(({ range, claims, share, isContested }, at) => {
            const x = at * pitch
            const filled = Math.max(4, share * tickHeight)
            return claims.length === 0 ? (
              <rect key={at} x={x} y={base - 2} width={2} height={2} className="fill-control" />
            ) : (
              <g key={at}>
                <title>{`${range.cidr}: ${claims.map(({ name, cidr }) => `${name} ${cidr}`).join(', ')}`}</title>
                <rect x={x} y={base - tickHeight} width={thick} height={tickHeight} className="fill-sunken" />
                <rect
                  x={x}
                  y={base - (isContested ? tickHeight + 4 : filled)}
                  width={thick}
                  height={isContested ? tickHeight + 4 : filled}
                  className={isContested ? 'fill-danger' : 'fill-control'}
                />
              </g>
            )
          })}
          {placed(labelsOf(ticks), pitch, width).map(({ at, text, x, row }) => (
            <text
              key={at}
              x={x}
              y={12 + row * 13}
              className={cx('text-meta', ticks[at]?.isContested ? 'fill-danger' : 'fill-text-2')}
            >
              {text}
            </text>
          ))}
          {axis(ticks, pitch).map(({ at, text }) => (
            <text key={at} x={at * pitch} y={height - 4} className="fill-text-3 text-meta tabular-nums">
              {text}
            </text>
          ))}
        </svg>
      ) : (
        <span className="sr-only">{prefix}</span>
      )}
    </div>
  )
}

/** Labels where there is room: those that would lie on others are left to the title of their tick. */
function placed(labels: ReturnType<typeof labelsOf>, pitch: number, width: number) {
  const ends = Array.from({ length: labelRows }, () => -8)
  return labels.flatMap((label) => {
    const text = label.text.length > 18 ? `${label.text.slice(0, 17)}…` : label.text
    const wide = Math.min(labelWidth, text.length * 6 + 4)
    const x = Math.min(label.at * pitch, width - wide)
    const row = ends.findLastIndex((end) => end + 8 <= x)
    if (row === -1) return []
    ends[row] = x + wide
    return [{ ...label, text, x, row }]
  })
}

function axis(ticks: readonly Tick[], pitch: number) {
  const every = Math.ceil(ticks.length / Math.max(2, Math.min(8, Math.floor((pitch * ticks.length) / 90))))
  return ticks.flatMap(({ range }, at) =>
    at % every === 0 ? [{ at, text: range.cidr.replace(/\/\d+$/, '').replace(/(\.0)+$/, '') }] : [],
  )
}

function spoken(ticks: readonly Tick[]): string {
  const labels = [...new Set(labelsOf(ticks).map(({ text }) => text))]
  return labels.length === 0 ? 'Nobody claims a part of it.' : `Claimed by ${labels.join('; ')}.`
}
