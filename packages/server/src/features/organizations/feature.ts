import type { Feature, Parts } from '../../feature.ts'
import { organizationRoutes } from './routes.ts'
import { createOrganizationService } from './service.ts'

type Needs = Omit<Parameters<typeof createOrganizationService>[0], 'database'>

export function organizationsFeature({ database }: Parts, needs: Needs) {
  return { handlers: organizationRoutes(createOrganizationService({ database, ...needs })) } satisfies Feature
}
