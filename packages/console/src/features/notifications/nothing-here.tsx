import type { NotificationsShown } from '../../data/notifications.ts'
import { Button } from '../../ui/button.tsx'

const words: Record<NotificationsShown, { title: string; about: string }> = {
  all: {
    title: 'No notifications',
    about: 'What the console tells you is kept here for 90 days, and so is how the runs that you start end.',
  },
  unread: { title: 'Nothing unread', about: 'You have read everything that you were told.' },
  errors: { title: 'No errors', about: 'Nothing that you did has failed lately.' },
}

/** An empty list, and the way to a fuller one. */
export function NothingHere({ show, onShowAll }: { show: NotificationsShown; onShowAll: () => void }) {
  const { title, about } = words[show]
  return (
    <div className="flex flex-col items-start gap-1 px-3 py-8">
      <h3 className="text-lead font-semibold">{title}</h3>
      <p className="text-text-2">{about}</p>
      {show === 'all' ? null : (
        <Button size="small" className="mt-2" onClick={onShowAll}>
          Show all
        </Button>
      )}
    </div>
  )
}
