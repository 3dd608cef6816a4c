import { CheckCheck, ListX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNotificationChanges, useNotifications } from '../../data/notifications.ts'
import type { NotificationsShown } from '../../data/notifications.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { ShownChoice } from './shown-choice.tsx'
import { moveFocus } from './list-keys.ts'
import { incidentsFirst } from './incidents-first.ts'
import { NotificationItem } from './notification-item.tsx'
import { NoNotifications } from './no-notifications.tsx'
import { Ongoing } from './ongoing.tsx'

export interface PanelProps {
  unreadCount: number
  /** A link was followed: the panel is in its way. */
  onLeave: () => void
}

/** Runs under way and notifications, with their actions. */
export default function Panel({ unreadCount, onLeave }: PanelProps) {
  const [show, setShow] = useState<NotificationsShown>('all')
  const list = useNotifications(show)
  const { setRead, readAll, dismiss, clear } = useNotificationChanges()
  const stale = useStaleReason()
  const panel = useRef<HTMLElement>(null)
  // It came after the layer around it took the focus; from here the arrow keys lead into the list.
  useEffect(() => panel.current?.focus(), [])
  const rows = incidentsFirst(list.data?.pages.flatMap((page) => page.notifications))
  // Read up to what was seen here: what comes while the server is asked stays unread.
  const newestAt = useNotifications('all').data?.pages[0]?.notifications[0]?.at
  const failure = setRead.error ?? readAll.error ?? dismiss.error ?? clear.error
  return (
    // The keys are those of the buttons and links inside, heard on their way up.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Notification list"
      ref={panel}
      tabIndex={-1}
      data-focus="quiet"
      onKeyDown={moveFocus}
      className="relative flex max-h-[min(40rem,calc(100dvh-5rem))] flex-col"
    >
      <ProgressLine active={list.isRefetching && !list.isFetchingNextPage} />
      <header className="flex items-center gap-1 border-b border-line py-1.5 pr-2 pl-3">
        <ShownChoice value={show} onChange={setShow} unreadCount={unreadCount} />
        <span className="ml-auto flex">
          <IconButton
            label="Mark all as read"
            size="small"
            icon={<CheckCheck size={15} aria-hidden />}
            disabledReason={stale ?? (unreadCount === 0 ? 'All notifications are read.' : undefined)}
            onClick={() => newestAt && readAll.mutate(newestAt)}
          />
          <IconButton
            label="Clear read notifications"
            size="small"
            icon={<ListX size={15} aria-hidden />}
            disabledReason={
              stale ??
              (rows?.some((row) => row.readAt) ? undefined : 'No notification on this list is read yet.')
            }
            onClick={() => clear.mutate()}
          />
        </span>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {stale ? (
          <div className="p-2 pb-0">
            <Notice tone="warn" title={stale} />
          </div>
        ) : null}
        {failure ? (
          <div className="p-2 pb-0">
            <Notice tone="danger" title="The change was not saved">
              {causeOf(failure)}
            </Notice>
          </div>
        ) : null}
        <Ongoing onLeave={onLeave} />
        {rows ? (
          rows.length === 0 ? (
            <NoNotifications show={show} onShowAll={() => setShow('all')} />
          ) : (
            <ul aria-label="Notifications" className="divide-y divide-line">
              {rows.map((row) => (
                <NotificationItem
                  key={row.id}
                  notification={row}
                  isFirst={row === rows[0]}
                  staleReason={stale}
                  onRead={(isRead) => setRead.mutate({ id: row.id, isRead })}
                  onDismiss={() => dismiss.mutate(row.id)}
                  onLeave={onLeave}
                />
              ))}
            </ul>
          )
        ) : list.error ? (
          <div className="px-3 py-2">
            <ErrorState
              {...errorText('Failed to fetch notifications', list.error)}
              onRetry={() => void list.refetch()}
              isRetrying={list.isFetching}
              isCompact
            />
          </div>
        ) : (
          <DelayedSkeleton>
            {[0, 1, 2].map((row) => (
              <span key={row} className="flex flex-col gap-2.5 border-b border-line px-3 py-3">
                <Skeleton className="w-2/3" />
                <Skeleton className="w-11/12" />
              </span>
            ))}
          </DelayedSkeleton>
        )}
        {list.hasNextPage ? (
          <div className="border-t border-line p-2 text-center">
            <Button
              size="small"
              variant="ghost"
              busy={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show older
            </Button>
          </div>
        ) : null}
      </div>
    </section>
  )
}
