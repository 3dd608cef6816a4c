import type { WorkflowDefinitionBody } from '@bey/contract'

import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { Db } from '../../platform/db/database.ts'
import { createPurgeOfDeleted } from './definition/purge-deleted.ts'
import { authoringRoutes } from './definition/routes.ts'
import { createAuthoring } from './definition/service.ts'
import { workflowsDemo } from './demo.ts'
import { paletteWorkflows } from './palette.ts'
import { workflowRoutes } from './routes.ts'
import { runBelongings } from './runs/belongings.ts'
import { createRunRetention, type ForgetRuns } from './runs/retention.ts'
import type { Workflows } from './service.ts'
import { checkSteps } from './steps/check-step.ts'
import { knownThings } from './steps/known-things.ts'
import type { StepTypes } from './steps/registry.ts'
import { stepTypeRoutes } from './steps/routes.ts'
import { createHooks } from './triggers/hook.ts'
import { startTriggerJobs } from './triggers/jobs.ts'
import { triggerRoutes } from './triggers/routes.ts'
import { createTriggers } from './triggers/service.ts'
import { templateRoutes } from './definition/templates/routes.ts'
import { trialRoutes } from './definition/trial/routes.ts'
import type { TrialParts } from './definition/trial/test-step.ts'
import { workflowResources } from './resources.ts'
import { workflowRelations } from './relations.ts'

export type WorkflowsNeeds = {
  /** Stands before the others: it is what the engine executes (see `operations.ts`). */
  workflows: Workflows
  forgetRuns: ForgetRuns
  stepTypes: StepTypes
  dataKeys: DataKeys
  secretsOf: TrialParts['secretsOf']
}

export function workflowsFeature(
  parts: Parts,
  { workflows, forgetRuns, stepTypes, secretsOf, dataKeys }: WorkflowsNeeds,
) {
  const { database } = parts
  const authoringParts = {
    ...parts,
    stepTypes,
    forgetRuns,
    async checkStepsIn(organizationId: number, written: Readonly<Record<string, unknown>>) {
      const known = await knownThings(database, organizationId, written)
      return (definition: WorkflowDefinitionBody) => checkSteps(definition, stepTypes, known)
    },
  }
  const authoring = createAuthoring(authoringParts)
  const deleteOldRuns = createRunRetention(database, forgetRuns)
  const purgeDeletedWorkflows = createPurgeOfDeleted(authoringParts)
  const triggerParts = {
    ...parts,
    dataKeys,
    startRun: workflows.startWorkflowRun,
    cancelRun: (db: Db, runId: string) => workflows.cancelRun(db, runId, { userId: null }),
  }
  return {
    handlers: {
      ...workflowRoutes(workflows),
      ...workflows.actions,
      ...authoringRoutes(authoring),
      ...stepTypeRoutes(stepTypes),
      ...templateRoutes(),
      ...triggerRoutes(createTriggers(triggerParts), createHooks(triggerParts)),
      ...trialRoutes({ ...parts, stepTypes, secretsOf }),
    },
    workflows: [workflows.bulkWorkflow()],
    enrichments: { WORKFLOW_RUN_UPDATE: workflows.rowsOf },
    expansions: { ENGINE_STATUS_UPDATE: (organizationId: number) => workflows.engineEvent(organizationId) },
    palette: { workflow: paletteWorkflows },
    inventory: [workflowResources(database, parts.clock)],
    relations: [workflowRelations(parts)],
    belongings: [runBelongings(workflows)],
    demo: workflowsDemo(stepTypes, workflows.startWorkflowRun),
    async retention(now: Date) {
      await deleteOldRuns(now)
      await purgeDeletedWorkflows(now)
    },
    close: startTriggerJobs(triggerParts),
  } satisfies Feature
}
