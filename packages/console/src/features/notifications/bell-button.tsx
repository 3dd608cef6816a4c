import { Bell } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'
import { StatusMark } from '../../ui/status-mark.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

export interface BellButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** 100 means more than 99. */
  unreadCount?: number
  ongoingCount?: number
  ref?: Ref<HTMLButtonElement>
}

/** What opens the notification centre, with how many are unread and whether something is under way. */
export function BellButton({ unreadCount = 0, ongoingCount = 0, ...rest }: BellButtonProps) {
  const count = unreadCount > 99 ? '99+' : String(unreadCount)
  const label = [
    'Notifications',
    ...(unreadCount > 0 ? [`${count} unread`] : []),
    ...(ongoingCount > 0 ? [`${ongoingCount} in progress`] : []),
  ].join(', ')
  return (
    <IconButton
      aria-haspopup="dialog"
      {...rest}
      label={label}
      shortcut="g b"
      data-notification-bell=""
      data-tooltip-side="bottom"
      className="relative"
      icon={
        <>
          <Bell size={15} aria-hidden />
          {ongoingCount > 0 ? (
            <span aria-hidden className="absolute bottom-0.5 left-0.5 rounded-full bg-bg text-info">
              <StatusMark glyph="half" isBusy />
            </span>
          ) : null}
          {unreadCount > 0 ? (
            <span
              aria-hidden
              className="absolute -top-0.5 left-1/2 flex h-4 min-w-4 items-center justify-center rounded-full bg-text px-1 text-meta font-semibold text-bg tabular-nums ring-2 ring-bg"
            >
              {count}
            </span>
          ) : null}
        </>
      }
    />
  )
}
