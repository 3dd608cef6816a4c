import type { WorkflowStepDefinition } from '@bey/contract'
import { and, eq, inArray } from 'drizzle-orm'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Db } from '../../../platform/db/database.ts'
import { stepRuns } from '../../../tables/step-runs.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import type { Json } from '../definition/definition.ts'
import { inSnakeCase } from '../runs/event-value.ts'
import { evaluate, type Scope } from '../definition/expressions/evaluate.ts'
import { ExpressionError } from '../definition/expressions/expression-error.ts'
import { referencesOf, referencesOfExpression } from '../definition/expressions/references.ts'
import type { LockedRun } from '../runs/store.ts'

const maxItems = 1_000

/** Keys of the steps that anything within a step's definition names. */
export function namedSteps(definition: WorkflowStepDefinition): string[] {
  const named = new Set<string>()
  const sources = [definition.when, definition.foreach?.items].filter((each) => each !== undefined)
  for (const source of sources) for (const key of referencesOfExpression(source).steps) named.add(key)
  const { config, compensate, concurrency } = definition
  for (const key of referencesOf([config, compensate?.config, concurrency?.key]).steps) named.add(key)
  return [...named]
}

/** What the expressions of a run may name; of the steps those of `keys`. */
export async function readScope(db: Db, run: LockedRun, keys: readonly string[]): Promise<Scope> {
  const reading = db
    .select({
      trigger: workflowRuns.trigger,
      attempt: workflowRuns.attempt,
      startedAt: workflowRuns.startedAt,
    })
    .from(workflowRuns)
    .where(eq(workflowRuns.id, run.id))
  const steps =
    keys.length === 0
      ? []
      : db
          .select({
            key: stepRuns.key,
            type: stepRuns.type,
            status: stepRuns.status,
            output: stepRuns.output,
            error: stepRuns.error,
          })
          .from(stepRuns)
          .where(and(eq(stepRuns.runId, run.id), inArray(stepRuns.key, [...keys])))
  const [[facts], rows] = await Promise.all([reading, steps])
  return {
    inputs: run.input,
    steps: Object.fromEntries(
      rows.map(({ key, type, status, output, error }) => [
        key,
        { status, output: givenOutput(type, output ?? {}), error: error === null ? null : error.message },
      ]),
    ),
    run: {
      id: run.id,
      started_at: facts?.startedAt?.toISOString() ?? null,
      trigger: facts?.trigger ?? 'manual',
      attempt: facts?.attempt ?? 1,
      started_by: run.createdBy,
    },
  }
}

/** An event that was recorded before the fields of events were snake case has the present names. */
function givenOutput(type: string, output: Json): Json {
  const { event } = output
  const isOfEvent = type === 'wait_event' && typeof event === 'object' && event !== null
  return isOfEvent ? { ...output, event: inSnakeCase(event) } : output
}

/** The items of a loop. Throws StepFailure where they are no list or too many. */
export function itemsOf(source: string, scope: Scope): unknown[] {
  const items = evaluate(source, scope)
  if (!Array.isArray(items)) throw new StepFailure('The items of the loop have to be a list.')
  if (items.length > maxItems) {
    throw new StepFailure(`The loop has ${items.length} items; at most ${maxItems} are allowed.`)
  }
  return items
}

/** The scope of one iteration. */
export function iterationScope(scope: Scope, source: string, index: number): Scope {
  return { ...scope, item: itemsOf(source, scope)[index], index }
}

/** Throws errors of expressions as failures of the step. */
export function asFailure(error: unknown): unknown {
  return error instanceof ExpressionError ? new StepFailure(error.message, { cause: error }) : error
}
