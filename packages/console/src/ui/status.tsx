import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { statusLook } from './status-table.ts'
import type { StatusGlyph, StatusTone } from './status-table.ts'

const tones: Record<StatusTone, string> = {
  quiet: 'text-text-3',
  ok: 'text-ok',
  warn: 'text-warn',
  danger: 'text-danger',
  info: 'text-info',
}

const softTones: Record<StatusTone, string> = {
  quiet: 'border-line-strong text-text-2',
  ok: 'border-transparent bg-ok-soft text-ok',
  warn: 'border-transparent bg-warn-soft text-warn',
  danger: 'border-transparent bg-danger-soft text-danger',
  info: 'border-transparent bg-info-soft text-info',
}

export interface StatusProps {
  /** A status in any spelling; see `statusTable`. */
  status: string | null | undefined
  /** A filled badge, for headers, cards and drawers. Rows use the plain form. */
  variant?: 'plain' | 'badge'
  /** Another word for the same status, such as a pod's reason. */
  label?: string | undefined
  title?: string
}

/** Glyph and word, always both. */
export function Status({ status, variant = 'plain', label, title }: StatusProps) {
  const look = statusLook(status)
  const isException = look.tone === 'danger' || look.tone === 'warn' || look.tone === 'info'
  if (variant === 'badge') {
    return (
      <span
        title={title}
        className={cx(
          'inline-flex h-5 items-center gap-1.5 rounded-badge border px-1.5 text-small font-medium whitespace-nowrap',
          softTones[look.tone],
        )}
      >
        <StatusMark glyph={look.glyph} isBusy={look.isBusy} />
        {label ?? look.label}
      </span>
    )
  }
  return (
    <span title={title} className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={tones[look.tone]}>
        <StatusMark glyph={look.glyph} isBusy={look.isBusy} />
      </span>
      <span className={isException ? tones[look.tone] : undefined}>{label ?? look.label}</span>
    </span>
  )
}

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
  pause: <path d="M4 2.75v6.5M8 2.75v6.5" />,
  clock: (
    <>
      <circle cx="6" cy="6" r="4.25" />
      <path d="M6 3.75V6l1.5 1" />
    </>
  ),
}
