import type { Feature, Parts } from '../../feature.ts'
import type { Kubernetes } from '../kubernetes/feature.ts'
import { analyticsRoutes } from './routes.ts'
import { createAnalyticsService } from './service.ts'

type Needs = Pick<Kubernetes, 'figures' | 'attentionOf' | 'attentionList'>

export function analyticsFeature({ database, clock }: Parts, { figures, attentionOf, attentionList }: Needs) {
  const service = createAnalyticsService({ database, figures, attentionOf, attentionList, clock })
  return { handlers: analyticsRoutes(service) } satisfies Feature
}
