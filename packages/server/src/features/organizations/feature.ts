import type { Feature, Parts } from '../../feature.ts'
import { createDeletion } from './deletion.ts'
import { createPurge } from './purge.ts'
import { organizationRoutes } from './routes.ts'
import { createOrganizationService } from './service.ts'
import { createOrganizationSettings } from './settings.ts'

type Needs = Omit<Parameters<typeof createOrganizationService>[0], 'database'> &
  Pick<Parameters<typeof createPurge>[0], 'forgetRuns'>

export function organizationsFeature({ database, clock, log }: Parts, { forgetRuns, ...needs }: Needs) {
  return {
    handlers: organizationRoutes(
      createOrganizationService({ database, ...needs }),
      createOrganizationSettings({ database }),
      createDeletion({ database, clock }),
    ),
    retention: createPurge({ database, log, forgetRuns }),
  } satisfies Feature
}
