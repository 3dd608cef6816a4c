import { guaranteeOf, type StepGuaranteeName, type WorkflowStepDefinition } from '@bey/contract'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Json } from '../definition/definition.ts'
import { evaluateCondition, type Scope } from '../definition/expressions/evaluate.ts'
import { referencesOf } from '../definition/expressions/references.ts'
import { refuseSecrets, renderTemplate } from '../definition/expressions/render.ts'
import { type Mask, maskJson } from '../../../platform/masking/mask.ts'
import { prepareConfig } from '../steps/prepare-config.ts'
import type { StepType } from '../steps/step-type.ts'
import { type Execution, inTenantWithRetry } from './execution.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type LockedRun, readRun } from '../runs/store.ts'
import { stepKeyOf } from './schedule.ts'
import { asFailure, iterationScope, itemsOf, namedSteps, readScope } from './scope.ts'
import { actOf, isLoop, isPlain } from './step-kind.ts'

/** A step of a workflow of one's own whose expressions are resolved. */
export type Prepared =
  | { kind: 'skip'; note: string }
  | { kind: 'loop'; count: number }
  | {
      kind: 'act'
      type: StepType
      /** As the schema of the type gives it; may hold secrets. */
      config: Record<string, unknown>
      /** What is recorded of it: without secrets. */
      recorded: Json
      mask: Mask
      /** Of the secrets in the config. */
      secretValues: readonly string[]
      guarantee: StepGuaranteeName
      concurrencyKey: string | undefined
    }

type OwnWork = { kind: 'own'; definition: WorkflowStepDefinition; type: StepType }

/** What the expressions of a step may name; nothing is read for one that has none. */
export async function scopeOf(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  definition: WorkflowStepDefinition,
): Promise<Scope> {
  return isPlain(x.plan, key) ? {} : readScope(db, run, namedSteps(definition))
}

/** Throws StepFailure for what is wrong with the definition or its values. `scope` is read unless given. */
export async function prepareStep(
  x: Execution,
  key: string,
  work: OwnWork,
  scope?: Scope,
): Promise<Prepared> {
  try {
    return await prepare(x, key, work, scope)
  } catch (error) {
    throw asFailure(error)
  }
}

async function prepare(
  x: Execution,
  key: string,
  work: OwnWork,
  known: Scope | undefined,
): Promise<Prepared> {
  const { definition } = work
  if (isPlain(x.plan, key)) return prepareAct(x, key, work, {})
  const shared =
    known ??
    (await inTenantWithRetry(x.parts, x.ref, async (db) =>
      scopeOf(x, db, (await readRun(db, x.ref.runId)) ?? x.run, key, definition),
    ))
  const isUndoing = key.endsWith('!undo')
  const isWholeLoop = isLoop(x.plan, key)
  const { when, foreach } = definition
  if (when !== undefined && key === stepKeyOf(key) && !evaluateCondition(when, shared)) {
    return { kind: 'skip', note: `Its condition is false: ${when}` }
  }
  if (isWholeLoop && foreach !== undefined)
    return { kind: 'loop', count: itemsOf(foreach.items, shared).length }
  const scope =
    foreach === undefined || isUndoing ? shared : iterationScope(shared, foreach.items, indexOf(key))
  return prepareAct(x, key, work, scope)
}

async function prepareAct(x: Execution, key: string, work: OwnWork, scope: Scope): Promise<Prepared> {
  const act = actOf(key, work, x.parts.stepTypes)
  if (act === undefined)
    throw new StepFailure('This server does not know the type of the step that undoes it.')
  const { type, config: written } = act
  const { config, secretValues, mask } = await prepareConfig(
    type,
    written,
    scope,
    x.parts.secretsOf(x.run, key),
    await x.knownSecrets(),
  )
  const { concurrency } = work.definition
  return {
    kind: 'act',
    type,
    config,
    recorded: maskJson(withoutSecrets(written, config), mask),
    mask,
    secretValues,
    guarantee: guaranteeOf(type.guarantee, config),
    concurrencyKey:
      concurrency === undefined || key.endsWith('!undo')
        ? undefined
        : String(await renderTemplate(concurrency.key, scope, refuseSecrets)),
  }
}

/** Fields that name secrets stay as they are written: even a short one must not be recorded. */
function withoutSecrets(written: Record<string, unknown>, config: Record<string, unknown>): Json {
  const fields = Object.entries(config).map(([name, value]) => {
    const source = written[name]
    return [name, referencesOf(source).secrets.length > 0 ? source : value]
  })
  return Object.fromEntries(fields) as Json
}

function indexOf(key: string): number {
  return Number(/\[(\d+)\]$/.exec(key)?.[1] ?? 0)
}
