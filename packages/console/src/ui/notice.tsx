import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { StatusMark } from './status-mark.tsx'
import type { StatusGlyph } from './status-table.ts'

type NoticeTone = 'info' | 'warn' | 'danger'

const tones: Record<NoticeTone, { box: string; mark: string; glyph: StatusGlyph }> = {
  info: { box: 'bg-info-soft', mark: 'text-info', glyph: 'info' },
  warn: { box: 'bg-warn-soft', mark: 'text-warn', glyph: 'triangle' },
  danger: { box: 'bg-danger-soft', mark: 'text-danger', glyph: 'triangle' },
}

export interface NoticeProps {
  tone: NoticeTone
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
}

/** Something about this page that needs to be known before the rest of it: what failed, what is old. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  const look = tones[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex flex-wrap items-start gap-x-3 gap-y-2 rounded-control px-3 py-2.5', look.box)}
    >
      {/* Only the actions may stand below: in a narrow drawer the glyph stays beside the words. */}
      <div className="flex min-w-0 flex-1 basis-66 items-start gap-3">
        <span className={cx('flex h-5 items-center', look.mark)}>
          <StatusMark glyph={look.glyph} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{title}</p>
          {children ? <div className="break-words text-text-2">{children}</div> : null}
        </div>
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  )
}
