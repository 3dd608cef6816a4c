/** The mark of Bey: a B of two arcs on the accent. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M10 7v18M10 16.5h7.5a4.25 4.25 0 0 1 0 8.5H10M10 7h6.25a4.75 4.75 0 0 1 0 9.5H10"
        fill="none"
        stroke="var(--accent-label)"
        strokeWidth="3"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
