const palette = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5', '--chart-6']

/** FNV-1a, 32 bits: the same address gives the same picture on every machine. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) {
    hash ^= character.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

/** The cells of a 5 × 5 symmetrical figure, by rows. */
export function avatarCells(email: string): boolean[] {
  let bits = hashOf(`${email.trim().toLowerCase()}:figure`)
  const cells: boolean[] = Array.from({ length: 25 }, () => false)
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 5; row++) {
      const isOn = (bits & 1) === 1
      bits >>>= 1
      cells[row * 5 + column] = isOn
      cells[row * 5 + (4 - column)] = isOn
    }
  }
  return cells
}

/** A picture made from the e-mail address alone: no upload, no foreign service. Decorative beside the name. */
export function Avatar({ email, size = 28 }: { email: string; size?: number }) {
  const color = palette[hashOf(email.trim().toLowerCase()) % palette.length] ?? '--chart-1'
  return (
    <svg
      viewBox="-1.5 -1.5 8 8"
      width={size}
      height={size}
      aria-hidden
      className="shrink-0 rounded-control"
      shapeRendering="crispEdges"
    >
      <rect
        x="-1.5"
        y="-1.5"
        width="8"
        height="8"
        className="forced-colors:fill-bg"
        fill={`color-mix(in oklch, var(${color}) 22%, var(--bg))`}
      />
      {avatarCells(email).map((isOn, index) =>
        isOn ? (
          <rect
            key={index}
            x={index % 5}
            y={Math.floor(index / 5)}
            width="1"
            height="1"
            fill={`var(${color})`}
          />
        ) : null,
      )}
    </svg>
  )
}
