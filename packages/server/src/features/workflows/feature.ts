import type { Feature, Parts } from '../../feature.ts'
import { paletteWorkflows } from './palette.ts'
import { workflowRoutes } from './routes.ts'
import { createRunRetention, type ForgetRuns } from './run-retention.ts'
import type { Workflows } from './service.ts'

export type WorkflowsNeeds = {
  /** Stands before the others: it is what the engine executes (see `operations.ts`). */
  workflows: Workflows
  forgetRuns: ForgetRuns
}

export function workflowsFeature({ database }: Parts, { workflows, forgetRuns }: WorkflowsNeeds) {
  return {
    handlers: workflowRoutes(workflows),
    palette: { workflow: paletteWorkflows },
    retention: createRunRetention(database, forgetRuns),
  } satisfies Feature
}
