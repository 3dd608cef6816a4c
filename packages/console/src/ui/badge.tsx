import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

export type BadgeTone = 'neutral' | 'ok' | 'warn' | 'danger' | 'info' | 'accent'

const tones: Record<BadgeTone, string> = {
  neutral: 'border-line-strong text-text-2',
  ok: 'border-transparent bg-ok-soft text-ok',
  warn: 'border-transparent bg-warn-soft text-warn',
  danger: 'border-transparent bg-danger-soft text-danger',
  info: 'border-transparent bg-info-soft text-info',
  accent: 'border-transparent bg-accent-soft text-accent-text',
}

/** A short fact about a thing ("Sandbox", "built-in"). Filled tones belong in headers, cards and drawers, not in rows. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-[18px] items-center gap-1 rounded-badge border px-1.5 text-meta font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
