import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { createAddressGuard } from '../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { notificationRoutes } from './routes.ts'
import { notificationRuleRoutes } from './rules/routes.ts'
import { startSender } from './rules/sender.ts'
import { createNotifications } from './service.ts'

export function notificationsFeature(
  { database, publish, clock, log, config, mail }: Parts,
  dataKeys: DataKeys,
) {
  const outbound = createOutbound(createAddressGuard(config.outbound))
  const baseUrl = config.publicUrl ?? `http://localhost:${config.port}`
  const sending = { database, dataKeys, outbound, clock, log, baseUrl, mail }
  const stop = startSender(sending)
  return {
    handlers: {
      ...notificationRoutes(createNotifications({ database, publish, clock })),
      ...notificationRuleRoutes(sending),
    },
    close: stop,
  } satisfies Feature
}
