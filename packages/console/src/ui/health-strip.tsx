export type StripState = 'ok' | 'warn' | 'failing' | 'none'

const height = 16
const looks: Record<StripState, { height: number; className: string }> = {
  ok: { height: 8, className: 'fill-line-strong' },
  warn: { height: 12, className: 'fill-warn' },
  failing: { height: 16, className: 'fill-danger' },
  none: { height: 2, className: 'fill-line' },
}

/** States of equal spans of time, the present one last. Height is the second cue beside colour. */
export function HealthStrip({
  states,
  label,
  pitch = 3,
}: {
  states: readonly StripState[]
  label: string
  /** Px from one bar to the next. */
  pitch?: number
}) {
  const width = states.length * pitch
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
      role="img"
      data-live-color=""
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      shapeRendering="crispEdges"
      className="block max-w-full shrink-0"
    >
      {states.map((state, index) => {
        const look = looks[state]
        return (
          <rect
            // Spans have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            x={index * pitch}
            y={height - look.height}
            width={pitch > 3 ? pitch - 2 : pitch - 1}
            height={look.height}
            className={look.className}
          />
        )
      })}
    </svg>
  )
}
