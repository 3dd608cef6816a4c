import type { ReactNode } from 'react'
import { arcCell, needleShare, point, rings, scaleMarks, tickLines } from './dial-geometry.ts'

/**
 * The node map bent into a dial: rings are clusters, cells nodes, ticks pods. A drawing, not a figure: its use is made up
 * and nothing on it can be read but the scale.
 */
export function LoginDial() {
  const tip = point(290, needleShare)
  const start = point(82, needleShare)
  const hub = point(76, needleShare)
  return (
    <svg viewBox="-332 -318 664 334" aria-hidden className="block w-full max-w-[41.5rem]" fill="none">
      {rings.map((ring) => (
        <g key={ring.inner}>
          <path d={ring.cells.map(arcCell).join('')} className="fill-bg stroke-line-strong" />
          <path d={tickLines(ring, 'ground')} className="stroke-line-strong" strokeWidth="1.5" />
          <path
            d={tickLines(ring, 'use')}
            className={ring.isAccent ? 'stroke-chart-1' : 'stroke-control'}
            strokeWidth="2"
          />
        </g>
      ))}
      <path d="M-300 0.5H300" className="stroke-line-strong" />
      <path d={scaleMarks.map(({ from, to }) => `M${from}L${to}`).join('')} className="stroke-control" />
      <path d={`M0 0H-76A76 76 0 0 1 ${hub}Z`} className="fill-text" />
      <path d="M-76 0A76 76 0 0 1 76 0" className="stroke-text" strokeWidth="1.5" />
      <path d={`M${start}L${tip}`} className="stroke-text" strokeWidth="2.5" />
      <Label x={-312} y={4} anchor="end">
        0
      </Label>
      <Label x={-226} y={-219} anchor="end">
        25
      </Label>
      <Label x={0} y={-308} anchor="middle">
        50
      </Label>
      <Label x={226} y={-219} anchor="start">
        75
      </Label>
      <Label x={308} y={4} anchor="start">
        100
      </Label>
    </svg>
  )
}

function Label(props: { x: number; y: number; anchor: 'start' | 'middle' | 'end'; children: ReactNode }) {
  const { x, y, anchor, children } = props
  return (
    <text x={x} y={y} textAnchor={anchor} className="fill-text-2 text-meta tabular-nums">
      {children}
    </text>
  )
}
