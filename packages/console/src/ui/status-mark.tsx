import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import type { StatusGlyph } from './status-table.ts'

/** The glyph alone, for timelines; its word must stand beside it. */
export function StatusMark({ glyph, isBusy = false }: { glyph: StatusGlyph; isBusy?: boolean }) {
  return (
    <svg
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden
      className={cx('block shrink-0', isBusy && 'animate-pulse-slow')}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {glyphs[glyph]}
    </svg>
  )
}

const glyphs: Record<StatusGlyph, ReactNode> = {
  dot: <circle cx="6" cy="6" r="3.5" fill="currentColor" stroke="none" />,
  ring: <circle cx="6" cy="6" r="4.25" strokeDasharray="2 2.45" />,
  half: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" fill="currentColor" stroke="none" />
    </>
  ),
  check: <path d="M2 6.5 4.75 9.25 10 3.25" />,
  triangle: (
    <>
      <path d="M6 1.5 11 10.25H1z" />
      <path d="M6 5v2.25M6 8.75v.01" />
    </>
  ),
  barred: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="M3 9l6-6" />
    </>
  ),
  info: (
    <>
      <circle cx="6" cy="6" r="4.75" />
      <path d="M6 5.5v3M6 3.4v.01" />
    </>
  ),
  pause: <path d="M4 2.75v6.5M8 2.75v6.5" />,
  clock: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="M6 3.75V6l1.5 1" />
    </>
  ),
}
