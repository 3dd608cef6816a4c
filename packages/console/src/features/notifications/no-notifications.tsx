import type { NotificationsShown } from '../../data/notifications.ts'
import { Button } from '../../ui/button.tsx'

const words: Record<NotificationsShown, { title: string; about: string }> = {
  all: {
    title: 'No notifications',
    about: 'Notifications and the results of the runs that you start are kept here for 90 days.',
  },
  unread: { title: 'No unread notifications', about: 'You have read all notifications.' },
  errors: { title: 'No errors', about: 'No recent action of yours has failed.' },
}

/** An empty list, and the way to a fuller one. */
export function NoNotifications({ show, onShowAll }: { show: NotificationsShown; onShowAll: () => void }) {
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
