import type { Feature, Parts } from '../../feature.ts'
import { authoringRoutes } from './authoring/routes.ts'
import { createAuthoring } from './authoring/service.ts'
import { paletteWorkflows } from './palette.ts'
import { workflowRoutes } from './routes.ts'
import { createRunRetention, type ForgetRuns } from './run-retention.ts'
import type { Workflows } from './service.ts'

export type WorkflowsNeeds = {
  /** Stands before the others: it is what the engine executes (see `operations.ts`). */
  workflows: Workflows
  forgetRuns: ForgetRuns
}

export function workflowsFeature(parts: Parts, { workflows, forgetRuns }: WorkflowsNeeds) {
  const { database } = parts
  const authoring = createAuthoring({ ...parts, checkStep: () => [], forgetRuns })
  return {
    handlers: { ...workflowRoutes(workflows), ...authoringRoutes(authoring) },
    palette: { workflow: paletteWorkflows },
    retention: createRunRetention(database, forgetRuns),
  } satisfies Feature
}
