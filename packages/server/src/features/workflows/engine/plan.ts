import { needsOf, type WorkflowDefinitionBody, type WorkflowStepDefinition } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { workflowVersions } from '../../../tables/workflow-versions.ts'
import type { StepDefinition, WorkflowDefinition } from '../definition/definition.ts'
import { type LockedRun, readSteps, type StepRow } from '../runs/store.ts'
import type { StepType } from '../steps/step-type.ts'
import { type ScheduleNode, stepKeyOf } from './schedule.ts'

/** A step as the engine executes it. */
export type PlanStep = ScheduleNode & {
  name: string
  type: string
  work:
    | { kind: 'built_in'; definition: StepDefinition }
    | { kind: 'own'; definition: WorkflowStepDefinition; type: StepType }
    /** What this server cannot execute. */
    | { kind: 'unknown' }
}

/** What a run executes. It follows from what never changes of a run, so that each process makes the same one. */
export type RunPlan = {
  steps: ReadonlyMap<string, PlanStep>
  parallel: number
  timeoutMs: number | undefined
  builtIn: WorkflowDefinition | undefined
  own: WorkflowDefinitionBody | undefined
}

/** Undefined when this server does not know the workflow. */
export async function loadPlan(
  db: Db,
  run: Pick<LockedRun, 'id' | 'workflowId' | 'workflowKey' | 'version'>,
  definitions: ReadonlyMap<string, WorkflowDefinition>,
  stepTypes: ReadonlyMap<string, StepType>,
  /** The steps of the run; read where they are needed unless given. */
  steps?: readonly StepRow[],
): Promise<RunPlan | undefined> {
  if (run.workflowKey !== '') {
    const definition = definitions.get(run.workflowKey)
    return definition === undefined
      ? undefined
      : builtInPlan(definition, steps ?? (await readSteps(db, run.id)))
  }
  return run.version === null ? undefined : ownPlanOf(db, run.workflowId, run.version, stepTypes)
}

/** A version never changes, so what follows from it is kept. */
async function ownPlanOf(
  db: Db,
  workflowId: string,
  version: number,
  stepTypes: ReadonlyMap<string, StepType>,
): Promise<RunPlan | undefined> {
  const plans = plansOf.get(stepTypes) ?? new Map<string, RunPlan>()
  plansOf.set(stepTypes, plans)
  const name = `${workflowId}:${version}`
  const known = plans.get(name)
  if (known !== undefined) return known
  const body = await readVersion(db, workflowId, version)
  if (body === undefined) return undefined
  const plan = ownPlan(body, stepTypes)
  const [oldest] = plans.keys()
  if (plans.size >= maxKeptPlans && oldest !== undefined) plans.delete(oldest)
  plans.set(name, plan)
  return plan
}

const maxKeptPlans = 100
const plansOf = new WeakMap<ReadonlyMap<string, StepType>, Map<string, RunPlan>>()

/** The steps are those that the run was made with: another version of this server may know others. */
function builtInPlan(
  definition: WorkflowDefinition,
  rows: readonly { key: string; name: string; type: string }[],
): RunPlan {
  const steps = rows.map(({ key, name, type }, index): PlanStep => {
    const step = definition.steps.find((each) => each.key === key)
    const before = rows[index - 1]
    return {
      key,
      name,
      type,
      needs: before === undefined ? [] : [before.key],
      continueOnError: false,
      isUndoable: false,
      maxParallel: undefined,
      work: step === undefined ? { kind: 'unknown' } : { kind: 'built_in', definition: step },
    }
  })
  return {
    steps: new Map(steps.map((step) => [step.key, step])),
    parallel: 1,
    timeoutMs: undefined,
    builtIn: definition,
    own: undefined,
  }
}

function ownPlan(body: WorkflowDefinitionBody, stepTypes: ReadonlyMap<string, StepType>): RunPlan {
  const known = new Set(body.steps.map((step) => step.key))
  const steps = body.steps.map((step, index): PlanStep => {
    const type = stepTypes.get(step.type)
    return {
      key: step.key,
      name: step.name,
      type: step.type,
      needs: needsOf(body.steps, index).filter((key) => known.has(key)),
      continueOnError: step.continueOnError ?? false,
      isUndoable: step.compensate !== undefined,
      maxParallel: step.foreach?.maxParallel,
      work: type === undefined ? { kind: 'unknown' } : { kind: 'own', definition: step, type },
    }
  })
  return {
    steps: new Map(steps.map((step) => [step.key, step])),
    parallel: body.parallel,
    timeoutMs: body.timeoutMs,
    builtIn: undefined,
    own: body,
  }
}

/** The step of a plan that an iteration or an undoing belongs to. */
export function planStepOf(plan: RunPlan, key: string): PlanStep | undefined {
  return plan.steps.get(stepKeyOf(key))
}

/** Definition of a version of a workflow. */
export async function readVersion(
  db: Db,
  workflowId: string,
  version: number,
): Promise<WorkflowDefinitionBody | undefined> {
  return (await readSavedVersion(db, workflowId, version))?.definition
}

/** The same with the API key that saved it; null of a person. */
export async function readSavedVersion(
  db: Db,
  workflowId: string,
  version: number,
): Promise<{ definition: WorkflowDefinitionBody; keyId: string | null } | undefined> {
  const rows = await db
    .select({ definition: workflowVersions.definition, keyId: workflowVersions.keyId })
    .from(workflowVersions)
    .where(and(eq(workflowVersions.workflowId, workflowId), eq(workflowVersions.version, version)))
  return rows[0]
}
