import { encode } from 'uqr'

export interface QrCodeProps {
  text: string
  /** What it is, for anyone who cannot see it. */
  label: string
  /** Edge in pixels. */
  size?: number
}

/** A QR code. Black on white in every theme: many readers take no other. */
export function QrCode({ text, label, size = 176 }: QrCodeProps) {
  const { data, size: cells } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    // A drawing of its own: an image element would need an address, which the page's policy narrows.
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
      role="img"
      aria-label={label}
      viewBox={`0 0 ${cells} ${cells}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      className="rounded-control border border-line"
    >
      <rect width={cells} height={cells} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
