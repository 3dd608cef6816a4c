import type { Feature, Parts } from '../../feature.ts'
import { authoringRoutes } from './authoring/routes.ts'
import { createAuthoring } from './authoring/service.ts'
import { paletteWorkflows } from './palette.ts'
import { workflowRoutes } from './routes.ts'
import { createRunRetention, type ForgetRuns } from './run-retention.ts'
import type { Workflows } from './service.ts'
import { checkSteps } from './step-types/check-step.ts'
import { knownThings } from './step-types/known-things.ts'
import type { StepTypes } from './step-types/registry.ts'
import { stepTypeRoutes } from './step-types/routes.ts'

export type WorkflowsNeeds = {
  /** Stands before the others: it is what the engine executes (see `operations.ts`). */
  workflows: Workflows
  forgetRuns: ForgetRuns
  stepTypes: StepTypes
}

export function workflowsFeature(parts: Parts, { workflows, forgetRuns, stepTypes }: WorkflowsNeeds) {
  const { database } = parts
  const authoring = createAuthoring({
    ...parts,
    forgetRuns,
    checkSteps: (definition) => checkSteps(definition, stepTypes),
    async checkStepsIn(organizationId, written) {
      const known = await knownThings(database, organizationId, written)
      return (definition) => checkSteps(definition, stepTypes, known)
    },
  })
  return {
    handlers: {
      ...workflowRoutes(workflows),
      ...workflows.actions,
      ...authoringRoutes(authoring),
      ...stepTypeRoutes(stepTypes),
    },
    palette: { workflow: paletteWorkflows },
    retention: createRunRetention(database, forgetRuns),
  } satisfies Feature
}
