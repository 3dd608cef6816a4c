/** The shapes of Bey's mark: a half-filled dial and the rule of ticks that calibrates it. */
interface MarkShape {
  grid: number
  dial: string
  /** x, y, width and height of each tick; the middle one is the needle. */
  ticks: readonly (readonly [number, number, number, number])[]
}

const large: MarkShape = {
  grid: 32,
  dial: 'M15 2.036a14 14 0 0 0 0 27.928z',
  ticks: [
    [17, 2, 5, 3],
    [17, 8, 4, 3],
    [17, 14, 13, 4],
    [17, 21, 4, 3],
    [17, 27, 5, 3],
  ],
}

// Redrawn on whole pixels, where the large one would blur.
const medium: MarkShape = {
  grid: 24,
  dial: 'M11 1.012a10.5 10.5 0 0 0 0 20.976z',
  ticks: [
    [13, 1, 4, 2],
    [13, 5, 3, 2],
    [13, 10, 9, 3],
    [13, 16, 3, 2],
    [13, 20, 4, 2],
  ],
}

const small: MarkShape = {
  grid: 16,
  dial: 'M7 1.071a7 7 0 0 0 0 13.858z',
  ticks: [
    [8, 1, 3, 1],
    [8, 4, 2, 1],
    [8, 7, 7, 2],
    [8, 11, 2, 1],
    [8, 14, 3, 1],
  ],
}

/** Bey's mark in the colour of the text around it. */
export function Mark({ size = 24 }: { size?: 16 | 24 | 32 | 64 }) {
  const { grid, dial, ticks } = size === 16 ? small : size === 24 ? medium : large
  return (
    <svg
      viewBox={`0 0 ${grid} ${grid}`}
      width={size}
      height={size}
      fill="currentColor"
      aria-hidden
      className="shrink-0"
    >
      <path d={dial} />
      {ticks.map(([x, y, width, height]) => (
        <rect key={y} x={x} y={y} width={width} height={height} />
      ))}
    </svg>
  )
}
