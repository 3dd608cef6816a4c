import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import type { Notifications } from './service.ts'
import type { Recipient } from './store.ts'

export function notificationRoutes(
  notifications: Notifications,
): Handlers<
  | 'notifications.list'
  | 'notifications.unread'
  | 'notifications.record'
  | 'notifications.readAll'
  | 'notifications.update'
  | 'notifications.dismiss'
  | 'notifications.clear'
> {
  return {
    'notifications.list': ({ caller, query }) => notifications.list(own(caller), query),
    'notifications.unread': ({ caller }) => notifications.unread(own(caller)),
    'notifications.record': ({ caller, body }) => notifications.record(own(caller), body.notifications),
    'notifications.readAll': ({ caller, body }) => notifications.readAll(own(caller), new Date(body.until)),
    'notifications.update': ({ caller, params, body }) =>
      notifications.update(own(caller), params.id, body.isRead),
    'notifications.dismiss': ({ caller, params }) => notifications.dismiss(own(caller), params.id),
    'notifications.clear': ({ caller }) => notifications.clear(own(caller)),
  }
}

const own = ({ organizationId, user }: TenantCaller): Recipient => ({ organizationId, userId: user.id })
