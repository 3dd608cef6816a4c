import type { WorkflowStepDefinition } from '@bey/contract'

import { act, type Member } from '../../../../platform/act.ts'
import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import { AppError } from '../../../../platform/errors.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { evaluate, evaluateCondition, type Scope } from '../expressions/evaluate.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import type { ResolveSecret } from '../expressions/render.ts'
import { currentKey, whyNotNow } from '../../../../platform/keys/key-rights.ts'
import { createMask, type Mask, maskedText, maskJson } from '../../../../platform/masking/mask.ts'
import { prepareConfig } from '../../steps/prepare-config.ts'
import type { StepTypes } from '../../steps/registry.ts'
import type { ActionContext, StepType } from '../../steps/step-type.ts'
import { readStep } from './read-step.ts'
import { sampleScope, type SampleValues } from './sample-scope.ts'

export type TrialParts = {
  database: Database
  clock: Clock
  stepTypes: StepTypes
  secretsOf(
    run: {
      organizationId: number
      createdBy: number | null
      workflowId: string
      authorKeyIds?: readonly string[]
    },
    stepKey: string,
  ): ResolveSecret
}

type Trial = SampleValues & { step: Record<string, unknown>; isReal: boolean }

type TrialResult = {
  status: 'succeeded' | 'failed' | 'timed_out' | 'skipped'
  isDryRun: boolean
  output: unknown
  error: { message: string } | null
  logs: { level: string; message: string }[]
  durationMs: number
}

/** A test is waited for by a person; longer steps are tested by a run. */
const longestMs = 60_000
const maxLogs = 500
const maxOutputBytes = 1_048_576

/**
 * Executes one step with sample values: types that only compute or read for real, others as a dry run unless the real
 * act is asked for. Throws AppError for a step that cannot be read, and `forbidden`.
 */
export async function testStep(
  parts: TrialParts,
  { step: written, isReal, ...values }: Trial,
  who: Member,
): Promise<TrialResult> {
  const step = readStep(written)
  const type = typeOf(parts.stepTypes, step.type)
  const denied = type.permission && whyNotNow(who.role, type.permission)
  if (denied !== undefined) throw new AppError('forbidden', denied)
  const startedAt = parts.clock.monotonicMs()
  const logs: TrialResult['logs'] = []
  const secretValues: string[] = []
  let known: Mask | undefined
  const result = await perform().catch(failureResult)
  const mask = known ?? createMask(secretValues)
  return {
    ...result,
    output: maskJson(result.output, mask),
    error: result.error && { message: mask(result.error.message) },
    logs: logs.map(({ level, message }) => ({ level, message: mask(message) })),
    durationMs: Math.round(parts.clock.monotonicMs() - startedAt),
  }

  async function perform(): Promise<Omit<TrialResult, 'logs' | 'durationMs'>> {
    const shared = sampleScope(values)
    const isDryRun = isDry(type, isReal)
    if (step.when !== undefined && !evaluateCondition(step.when, shared)) {
      return { status: 'skipped', isDryRun, output: null, error: null }
    }
    const scope = firstIteration(step, shared)
    const run = {
      id: uuidv7(),
      organizationId: who.organizationId,
      workflowId: testedWorkflow,
      workflowKey: 'test',
      subject: null,
      input: values.input,
      createdBy: who.user.id,
      keyId: currentKey()?.id ?? null,
      // The key writes the step as well.
      authorKeyIds: [currentKey()?.id].filter((id) => id !== undefined),
      queuedAt: parts.clock.now(),
    }
    const { id: _runId, ...user } = run
    const resolve = parts.secretsOf(user, step.key)
    const { config, mask: ownMask } = await prepareConfig(type, step.config, scope, async (secret) => {
      // What is only shown needs no value.
      if (isDryRun && !hasDryRun(type)) return maskedText
      const value = await resolve(secret)
      secretValues.push(value)
      return value
    })
    known = ownMask
    if (isReal && hasEffect(type)) await recordTest(parts, who, step)
    const output = await runOnce(type, config, isDryRun, contextOf(run, step, ownMask))
    requireSize(output)
    return { status: 'succeeded', isDryRun, output, error: null }
  }

  function contextOf(
    run: ActionContext['run'],
    { key, timeoutMs }: WorkflowStepDefinition,
    ownMask: Mask,
  ): ActionContext {
    const signal = AbortSignal.timeout(Math.min(timeoutMs ?? longestMs, longestMs))
    return {
      run,
      attempt: 1,
      outputs: {},
      signal,
      idempotencyKey: `${run.id}:${key}`,
      mask: ownMask,
      secretValues,
      log(message, level = 'info') {
        if (logs.length < maxLogs) logs.push({ level, message: message.slice(0, 10_000) })
      },
      progress: () => undefined,
      sleep: (durationMs) => sleep(parts.clock, durationMs, signal),
    }
  }

  function failureResult(error: unknown): Omit<TrialResult, 'logs' | 'durationMs'> {
    const isDryRun = isDry(type, isReal)
    if (error instanceof Error && error.name === 'TimeoutError') {
      const message = `The step did not end within ${longestMs / 1_000} s. A run gives it more time.`
      return { status: 'timed_out', isDryRun, output: null, error: { message } }
    }
    if (error instanceof StepFailure || error instanceof ExpressionError) {
      return { status: 'failed', isDryRun, output: null, error: { message: error.message } }
    }
    // Of an unexpected error the log of the server gets what the step may show.
    if (known === undefined || error instanceof AppError) throw error
    throw new Error(known(`A tested step failed: ${error instanceof Error ? error.message : String(error)}`))
  }
}

/** Stands for the workflow of a test, which is none. */
const testedWorkflow = '00000000-0000-8000-8000-000000000000'

function isDry(type: StepType, isReal: boolean): boolean {
  if (type.kind !== 'action') return true
  return type.test !== 'pure' && !isReal
}

function hasEffect(type: StepType): boolean {
  return type.kind === 'action' && type.test !== 'pure'
}

function hasDryRun(type: StepType): boolean {
  return type.kind === 'action' && typeof type.test === 'object'
}

async function runOnce(
  type: StepType,
  config: Record<string, unknown>,
  isDryRun: boolean,
  context: ActionContext,
): Promise<unknown> {
  if (type.kind !== 'action') {
    context.log('In a run, the engine carries this step out. Its config is right.')
    return config
  }
  if (!isDryRun) return (await type.execute(context, config)) ?? {}
  if (typeof type.test === 'object') return type.test.dryRun(context, config)
  context.log('This type of step has no dry run. The output is its config with all values.')
  return config
}

/** Of a step that is executed once for each item, the first one. */
function firstIteration({ foreach }: WorkflowStepDefinition, scope: Scope): Scope {
  if (foreach === undefined) return scope
  const items = evaluate(foreach.items, scope)
  if (!Array.isArray(items)) throw new StepFailure('The items of the loop have to be a list.')
  if (items.length === 0) throw new StepFailure('The loop has no items with these values.')
  const [item] = items as unknown[]
  return { ...scope, item, index: 0 }
}

async function recordTest(
  { database }: TrialParts,
  who: Member,
  step: WorkflowStepDefinition,
): Promise<void> {
  await database.withTenant(who.organizationId, (db) =>
    act(db, who, {
      action: 'workflow.test_step',
      class: 'execute',
      outcome: 'unknown',
      diff: { type: step.type, step: step.key },
    }),
  )
}

function requireSize(output: unknown): void {
  if (JSON.stringify(output ?? null).length <= maxOutputBytes) return
  throw new StepFailure('The output is larger than 1 MB. Select what later steps need of it.')
}

function sleep(clock: Clock, durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = () => {
      cancel()
      reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'))
    }
    const cancel = clock.setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, durationMs)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

function typeOf(stepTypes: StepTypes, name: string): StepType {
  const type = stepTypes.get(name)
  if (type !== undefined) return type
  const message = `There is no type "${name}".`
  throw new AppError('invalid_request', `step.type: ${message}`, { errors: [{ path: 'step.type', message }] })
}
