import type { NotificationsShown } from '../../data/notifications.ts'
import { cx } from '../../ui/class-names.ts'

const choices: readonly { value: NotificationsShown; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'errors', label: 'Errors' },
]

/** Which of the notifications are shown. */
export function ShownChoice({
  value,
  onChange,
  unreadCount,
}: {
  value: NotificationsShown
  onChange: (value: NotificationsShown) => void
  unreadCount: number
}) {
  return (
    <fieldset aria-label="Show" className="flex gap-0.5">
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
          className={cx(
            'h-7 rounded-control px-2 font-medium transition-colors duration-75 touch:h-9',
            choice.value === value ? 'bg-active text-text' : 'text-text-2 hover:bg-hover hover:text-text',
          )}
        >
          {choice.label}
          {choice.value === 'unread' && unreadCount > 0 ? (
            <span className="ml-1.5 text-small font-normal text-text-2 tabular-nums">
              {unreadCount > 99 ? '99+' : unreadCount}
            </span>
          ) : null}
        </button>
      ))}
    </fieldset>
  )
}
