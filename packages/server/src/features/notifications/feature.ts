import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { notificationsDemo } from './demo.ts'
import { notificationRoutes } from './routes.ts'
import { notificationChannelRoutes } from './rules/channel-routes.ts'
import { notificationRuleRoutes } from './rules/rule-routes.ts'
import { startSender } from './rules/sender.ts'
import { createNotifications } from './service.ts'

export function notificationsFeature(
  { database, publish, clock, log, config, mail, outbound, refusals }: Parts,
  dataKeys: DataKeys,
) {
  const baseUrl = config.publicUrl ?? `http://localhost:${config.port}`
  const sending = { database, dataKeys, outbound, clock, log, baseUrl, mail }
  const stop = startSender(sending)
  const notifications = createNotifications({ database, publish, clock })
  return {
    handlers: {
      ...notificationRoutes(notifications),
      ...notificationRuleRoutes({ database, mail }),
      ...notificationChannelRoutes({ ...sending, refusals }),
    },
    enrichments: { NOTIFICATIONS_UPDATE: notifications.unreadOf },
    demo: notificationsDemo,
    close: stop,
  } satisfies Feature
}
