import type { Handlers } from '../../../../platform/http/handlers.ts'
import { evaluateSample } from './evaluate-sample.ts'
import { testStep, type TrialParts } from './test-step.ts'

export function trialRoutes(parts: TrialParts): Handlers<'workflows.testStep' | 'workflows.evaluate'> {
  return {
    'workflows.testStep': ({ caller, body }) => testStep(parts, body, caller),
    'workflows.evaluate': ({ caller, body }) => evaluateSample(parts.database, caller.organizationId, body),
  }
}
