import type { CallInput, CallOutput, Notification } from '@bey/contract'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetch } from './api-query.ts'
import { changeHeld } from './change-held.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'
import { useRefetch } from './use-refetch.ts'
import { useList } from './use-read.ts'

type NotificationPage = CallOutput<'notifications.list'>
export type NotificationsShown = NonNullable<NonNullable<CallInput<'notifications.list'>['query']>['show']>

const path = apiPath('notifications.list')
const pageSize = 30
/** More than these are behind the link to all runs. */
const ongoingShown = 10
/** The read of the runs that the notification centre shows as under way. */
export const ongoingRuns = { isOver: 'false', limit: ongoingShown } as const

/** How many the user has not read; 100 means more than 99. */
export function useUnreadCount(): number {
  const { data } = useQuery(apiQuery(useOrganizationId(), 'notifications.unread', {}))
  return data?.unreadCount ?? 0
}

/** The user's notifications, newest first, a page at a time. */
export function useNotifications(show: NotificationsShown) {
  const organizationId = useOrganizationId()
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: apiKey(organizationId, 'notifications.list', { query: { show } }),
      queryFn: ({ signal, pageParam }) =>
        api.call(
          'notifications.list',
          { query: { show, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) } },
          { signal },
        ),
      initialPageParam: '',
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  )
}

/** The organization's runs that are not over, newest first. */
export function useOngoingRuns() {
  return useList('workflows.allRuns', { query: ongoingRuns })
}

/** Changes of the user's own list: shown at once, and read again once the server has answered. */
export function useNotificationChanges() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  const settle = useRefetch(path)
  const change = (edit: (rows: Notification[]) => Notification[]) => changeLists(cache, organizationId, edit)

  const setRead = useMutation({
    mutationFn: ({ id, isRead }: { id: string; isRead: boolean }) =>
      api.call('notifications.update', { params: { id }, body: { isRead } }),
    onMutate: ({ id, isRead }) =>
      change((rows) => rows.map((row) => (row.id === id ? { ...row, readAt: readAtOf(isRead) } : row))),
    onSettled: settle,
  })
  const readAll = useMutation({
    mutationFn: (until: string) => api.call('notifications.readAll', { body: { until } }),
    onMutate: () => change((rows) => rows.map((row) => ({ ...row, readAt: row.readAt ?? readAtOf(true) }))),
    onSettled: settle,
  })
  const dismiss = useMutation({
    mutationFn: (id: string) => api.call('notifications.dismiss', { params: { id } }),
    onMutate: (id) => change((rows) => rows.filter((row) => row.id !== id)),
    onSettled: settle,
  })
  const clear = useMutation({
    mutationFn: () => api.call('notifications.clear', {}),
    onMutate: () => change((rows) => rows.filter((row) => row.readAt === null)),
    onSettled: settle,
  })
  return { setRead, readAll, dismiss, clear }
}

const readAtOf = (isRead: boolean) => (isRead ? new Date().toISOString() : null)

function changeLists(
  cache: QueryClient,
  organizationId: number,
  edit: (rows: Notification[]) => Notification[],
) {
  cache.setQueriesData<InfiniteData<NotificationPage>>({ queryKey: [path, organizationId] }, (data) =>
    data
      ? {
          ...data,
          pages: data.pages.map((page) => ({ ...page, notifications: edit(page.notifications) })),
        }
      : undefined,
  )
}

export const notificationReducers: Pick<LiveReducers, 'NOTIFICATIONS_UPDATE'> = {
  NOTIFICATIONS_UPDATE: (cache, { data: { unreadCount }, organizationId }) => {
    const unread = apiKey(organizationId, 'notifications.unread')
    refetch(cache, { queryKey: [path, organizationId] })
    if (unreadCount === undefined) refetch(cache, { queryKey: unread })
    else changeHeld<CallOutput<'notifications.unread'>>(cache, unread, (held) => ({ ...held, unreadCount }))
  },
}
