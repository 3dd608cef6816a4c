import { X } from 'lucide-react'
import { useEffect } from 'react'
import type { CSSProperties } from 'react'
import { Toaster as Sonner, toast as sonner } from 'sonner'
import { cx } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import { IconButton } from './icon-button.tsx'
import { StatusMark } from './status-mark.tsx'
import type { StatusGlyph } from './status-table.ts'
import { errorReport } from './error-report.ts'
import { listenForToasts, toastClosed } from './toast.ts'
import type { ToastMessage, ToastType } from './toast.ts'

const durationMs = 4000
// The library brings a font of its own.
const style: CSSProperties = { ...({ '--width': '356px' } as CSSProperties), fontFamily: 'inherit' }

const marks: Record<ToastType, { glyph: StatusGlyph; color: string } | null> = {
  success: { glyph: 'check', color: 'text-ok' },
  info: { glyph: 'info', color: 'text-info' },
  warning: { glyph: 'triangle', color: 'text-warn' },
  error: { glyph: 'triangle', color: 'text-danger' },
  loading: { glyph: 'half', color: 'text-info' },
  default: null,
}

/** The stack of toasts, bottom right. Load lazily: nothing needs it before the first toast. */
export default function Toaster() {
  useEffect(() => listenForToasts(show), [])
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={3}
      duration={durationMs}
      offset={{ bottom: 36, right: 16 }}
      mobileOffset={{ bottom: 'var(--toast-bottom, 36px)' }}
      style={style}
      containerAriaLabel="Notifications"
    />
  )
}

function show(message: ToastMessage) {
  const stays = message.type === 'error' || message.type === 'loading'
  const close = (id: string | number) => {
    sonner.dismiss(id)
    toastClosed(message)
  }
  sonner.custom((id) => <ToastCard message={message} onClose={() => close(id)} />, {
    duration: stays ? Number.POSITIVE_INFINITY : durationMs,
    unstyled: true,
    ...(message.id ? { id: message.id } : {}),
  })
}

function ToastCard({ message, onClose }: { message: ToastMessage; onClose: () => void }) {
  const { type, text, description, requestId } = message
  const mark = marks[type]
  return (
    <div
      role={type === 'error' ? 'alert' : 'status'}
      className="flex w-[356px] max-w-[calc(100vw-2rem)] items-start gap-2.5 rounded-popover border border-line bg-overlay py-2.5 pr-2 pl-3 text-body text-text shadow-float"
    >
      {mark ? (
        <span className={cx('flex h-5 items-center', mark.color)}>
          <StatusMark glyph={mark.glyph} isBusy={type === 'loading'} />
        </span>
      ) : null}
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{text}</p>
        {description ? <p className="mt-0.5 break-words text-text-2">{description}</p> : null}
      </div>
      {type === 'error' ? (
        <span className="-my-1">
          <CopyButton text={errorReport(text, description, requestId)} label="Copy error" />
        </span>
      ) : null}
      <IconButton
        label="Close"
        size="small"
        icon={<X size={14} aria-hidden />}
        onClick={onClose}
        className="-my-1"
      />
    </div>
  )
}
