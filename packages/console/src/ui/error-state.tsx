import { Lock, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import { messagePlacement } from './message-placement.ts'
import { StatusMark } from './status-mark.tsx'

export interface ErrorStateProps {
  /** The specified sentence: "Failed to fetch clusters". */
  title: string
  /** The cause, in words. */
  detail?: ReactNode
  requestId?: string | undefined
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
  /** Nothing is broken: it may not be read. */
  isRefusal?: boolean
  /** A line inside a panel instead of a block of its own. */
  isCompact?: boolean
}

/** A failing panel says what failed, why, and offers Retry; it never takes the page down. */
export function ErrorState(props: ErrorStateProps) {
  const {
    title,
    detail,
    requestId,
    onRetry,
    isRetrying = false,
    isRefusal = false,
    isCompact = false,
  } = props
  return (
    <div
      role={isRefusal ? 'status' : 'alert'}
      data-message={isCompact ? undefined : ''}
      className={cx('flex gap-2.5', isCompact ? 'py-2' : messagePlacement)}
    >
      <span className={cx('flex h-5 items-center', isRefusal ? 'text-text-2' : 'text-danger')}>
        {isRefusal ? <Lock size={14} aria-hidden /> : <StatusMark glyph="triangle" />}
      </span>
      <div className="flex min-w-0 flex-col items-start gap-1">
        <p className="font-medium">{title}</p>
        {detail ? <p className="break-words text-text-2">{detail}</p> : null}
        {requestId ? (
          <p className="flex items-center gap-1 text-small text-text-3">
            Request <code className="font-mono">{requestId}</code>
            <CopyButton text={requestId} label="Copy request id" />
          </p>
        ) : null}
        {onRetry ? (
          <Button
            size="small"
            icon={<RotateCw size={14} aria-hidden />}
            onClick={onRetry}
            busy={isRetrying}
            className="mt-1.5"
          >
            {isRefusal ? 'Check again' : 'Retry'}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
