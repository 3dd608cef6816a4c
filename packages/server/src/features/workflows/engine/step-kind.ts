import { guaranteeOf, type WorkflowStepDefinition } from '@bey/contract'

import { isTemplated } from '../definition/expressions/template.ts'
import type { StepRow } from '../runs/store.ts'
import type { StepType } from '../steps/step-type.ts'
import { planStepOf, type RunPlan } from './plan.ts'

/** What is done for a key: its step, an iteration of it, its undoing, or the whole of its loop. */
export type Act = { type: StepType; config: Record<string, unknown> }

/** The type and config of what a key of a workflow of one's own represents; undefined for an unknown type. */
export function actOf(
  key: string,
  { definition, type }: { definition: WorkflowStepDefinition; type: StepType },
  stepTypes: ReadonlyMap<string, StepType>,
): Act | undefined {
  if (!key.endsWith('!undo')) return { type, config: definition.config }
  const { compensate } = definition
  const undoing = compensate === undefined ? undefined : stepTypes.get(compensate.type)
  return undoing === undefined ? undefined : { type: undoing, config: compensate?.config ?? {} }
}

/** Whether a step begins without anything to be found out first, so that it can begin with the end of the one before. */
export function isPlain(plan: RunPlan, key: string): boolean {
  const step = plan.steps.get(key)
  if (step?.work.kind === 'built_in') return true
  if (step?.work.kind !== 'own' || step.work.type.kind !== 'action') return false
  const { when, foreach, concurrency, config } = step.work.definition
  if (when !== undefined || foreach !== undefined || concurrency !== undefined) return false
  return !hasTemplate(config) && guaranteeOf(step.work.type.guarantee, config) !== 'at_least_once'
}

/** Whether a step that was under way when its process died may have happened and must not happen twice. */
export function mustAskAfterCrash(plan: RunPlan, step: Pick<StepRow, 'key' | 'guarantee'>): boolean {
  const { work } = planStepOf(plan, step.key) ?? { work: { kind: 'unknown' } }
  return work.kind === 'own' && work.type.kind === 'action' && step.guarantee === 'at_least_once'
}

/** Whether a key is the whole of a loop, whose iterations do the work. */
export function isLoop(plan: RunPlan, key: string): boolean {
  return plan.steps.get(key)?.maxParallel !== undefined
}

function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return isTemplated(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(hasTemplate)
}
