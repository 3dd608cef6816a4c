import type { Notification, NotificationLevel } from '@bey/contract'
import { Circle, CircleDot, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { EntityLink } from '../../entities/entity-link.tsx'
import { cx } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { StatusGlyph } from '../../ui/status-table.ts'
import { errorReport } from '../../ui/error-report.ts'
import { leaveItem } from './list-keys.ts'

const marks: Record<NotificationLevel, { glyph: StatusGlyph; color: string; word: string }> = {
  success: { glyph: 'check', color: 'text-ok', word: 'Success' },
  info: { glyph: 'info', color: 'text-info', word: 'Information' },
  warning: { glyph: 'triangle', color: 'text-warn', word: 'Warning' },
  error: { glyph: 'triangle', color: 'text-danger', word: 'Error' },
  loading: { glyph: 'half', color: 'text-info', word: 'Started' },
  default: { glyph: 'ring', color: 'text-text-3', word: 'Message' },
}

/** A longer cause is cut to three lines until it is asked for. */
const longDetail = 160

export interface NotificationItemProps {
  notification: Notification
  /** Reached by Tab; the others by the arrow keys. */
  isFirst: boolean
  staleReason: string | undefined
  onRead: (isRead: boolean) => void
  onDismiss: () => void
  onLeave: () => void
}

export function NotificationItem(props: NotificationItemProps) {
  const { notification, isFirst, staleReason, onRead, onDismiss, onLeave } = props
  const { level, title, detail, requestId, href, subject, at, readAt } = notification
  const item = useRef<HTMLLIElement>(null)
  const isUnread = readAt === null
  const mark = marks[level]
  const markRead = () => (isUnread && !staleReason ? onRead(true) : undefined)
  const dismiss = () => {
    if (staleReason) return
    if (item.current?.contains(document.activeElement)) leaveItem(item.current)
    onDismiss()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return
    event.preventDefault()
    dismiss()
  }
  const headline = {
    'data-notification': notification.id,
    tabIndex: isFirst ? 0 : -1,
    className: cx(
      'block w-full text-left break-words hover:underline',
      isUnread ? 'font-medium' : 'text-text-2',
    ),
  }
  const words = (
    <>
      <span className="sr-only">
        {isUnread ? 'Unread. ' : ''}
        {mark.word}:{' '}
      </span>
      {title}
    </>
  )
  return (
    // As in the panel: keys of the buttons and links inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li ref={item} onKeyDown={onKeyDown} className="relative flex gap-2.5 py-2.5 pr-2 pl-4">
      {isUnread ? <span aria-hidden className="absolute inset-y-0 left-0 w-0.5 bg-text-2" /> : null}
      <span className={cx('flex h-5 items-center', mark.color)}>
        <StatusMark glyph={mark.glyph} />
      </span>
      <div className="min-w-0 flex-1">
        {href ? (
          <Link
            href={href}
            {...headline}
            onClick={() => {
              markRead()
              onLeave()
            }}
          >
            {words}
          </Link>
        ) : (
          <button type="button" {...headline} onClick={markRead}>
            {words}
          </button>
        )}
        {detail ? <Detail text={detail} /> : null}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-small text-text-3">
          <RelativeTime at={at} />
          {subject && !subject.isGone ? (
            <EntityLink entity={subject} className="truncate text-text-2 hover:underline" onClick={onLeave}>
              {subject.name}
            </EntityLink>
          ) : subject ? (
            <span className="truncate">{subject.name} (deleted)</span>
          ) : null}
          {requestId ? (
            <span className="truncate">
              Request <code className="font-mono">{requestId}</code>
            </span>
          ) : null}
        </p>
      </div>
      <span className="-my-1 flex shrink-0">
        <IconButton
          label={isUnread ? 'Mark as read' : 'Mark as unread'}
          size="small"
          disabledReason={staleReason}
          icon={isUnread ? <CircleDot size={14} aria-hidden /> : <Circle size={14} aria-hidden />}
          onClick={() => onRead(isUnread)}
        />
        {level === 'error' || level === 'warning' ? (
          <CopyButton text={errorReport(title, detail, requestId)} label="Copy error" />
        ) : null}
        <IconButton
          label="Dismiss"
          size="small"
          disabledReason={staleReason}
          icon={<X size={14} aria-hidden />}
          onClick={dismiss}
        />
      </span>
    </li>
  )
}

function Detail({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > longDetail
  return (
    <>
      <p className={cx('break-words text-text-2', isLong && !isWhole && 'line-clamp-3')}>{text}</p>
      {isLong ? (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="text-small text-text-2 underline hover:text-text"
        >
          {isWhole ? 'Show less' : 'Show all of it'}
        </button>
      ) : null}
    </>
  )
}
