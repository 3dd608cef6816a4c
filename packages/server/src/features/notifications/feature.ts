import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { notificationRoutes } from './routes.ts'
import { notificationRuleRoutes } from './rules/routes.ts'
import { startSender } from './rules/sender.ts'
import { createNotifications } from './service.ts'

export function notificationsFeature(
  { database, publish, clock, log, config, mail, outbound, refusals }: Parts,
  dataKeys: DataKeys,
) {
  const baseUrl = config.publicUrl ?? `http://localhost:${config.port}`
  const sending = { database, dataKeys, outbound, clock, log, baseUrl, mail }
  const stop = startSender(sending)
  return {
    handlers: {
      ...notificationRoutes(createNotifications({ database, publish, clock })),
      ...notificationRuleRoutes({ ...sending, refusals }),
    },
    close: stop,
  } satisfies Feature
}
