import type { Feature, Parts } from '../../feature.ts'
import { notificationRoutes } from './routes.ts'
import { createNotifications } from './service.ts'

export function notificationsFeature({ database, publish, clock }: Parts) {
  return { handlers: notificationRoutes(createNotifications({ database, publish, clock })) } satisfies Feature
}
