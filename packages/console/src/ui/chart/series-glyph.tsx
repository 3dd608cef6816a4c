import type { CSSProperties, ReactNode } from 'react'
import { endGlyphs, toneOf } from './chart-types.ts'

/** Which line a name belongs to, by form and by colour. */
export function SeriesGlyph({
  index,
  className,
  style,
}: {
  index: number
  className: string
  style?: CSSProperties
}) {
  const glyph = endGlyphs[index % endGlyphs.length] ?? '●'
  return (
    <svg
      width={9}
      height={9}
      viewBox="-4.5 -4.5 9 9"
      aria-hidden
      data-live-color=""
      data-series-glyph={glyph}
      style={{ ...style, color: `var(--chart-${toneOf(index)})` }}
      className={className}
    >
      {shapes[glyph]}
    </svg>
  )
}

const shapes: Record<(typeof endGlyphs)[number], ReactNode> = {
  '●': <circle r={3} fill="currentColor" />,
  '■': <rect x={-2.75} y={-2.75} width={5.5} height={5.5} fill="currentColor" />,
  '◆': <path d="M0 -4L4 0L0 4L-4 0Z" fill="currentColor" />,
  '○': <circle r={2.5} className="fill-bg" stroke="currentColor" strokeWidth={1.5} />,
}
