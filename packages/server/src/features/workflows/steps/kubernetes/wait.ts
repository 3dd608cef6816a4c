import { workflowLimits } from '@bey/contract'
import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { evaluateCondition } from '../../definition/expressions/evaluate.ts'
import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'
import { clusterField, openSession } from './cluster-session.ts'
import { type KubeObject, labelOf, shownObject } from './kube-object.ts'
import { findObjects, targetFields } from './object-target.ts'
import { rolloutState } from './rollout-state.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const pollMs = 1_000

const config = z.strictObject({
  cluster: clusterField,
  ...targetFields,
  until: z.enum(['condition', 'rollout', 'deleted', 'expression']).default('condition').meta({
    title: 'Wait for',
    description:
      'A condition of its status, the end of a rollout, its deletion, or an expression over object.',
  }),
  condition: z
    .string()
    .max(100)
    .default('Ready')
    .meta({ title: 'Condition', description: 'Type of the condition that must be True.' }),
  expression: z
    .string()
    .max(workflowLimits.expressionChars)
    .optional()
    .meta({
      title: 'Expression',
      description: 'E.g. object.status.phase == "Bound".',
      'x-widget': 'expression',
      'x-expression': ['object'],
    }),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(300_000)
    .meta({ title: 'Time limit', 'x-widget': 'duration' }),
})
type Config = z.output<typeof config>

/** Whether an object is as it is waited for, or what it is like instead. */
type State = { isReached: boolean; text: string }

export function kubernetesWait(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.wait',
    label: 'Wait for objects',
    group: 'Kubernetes',
    icon: 'hourglass',
    description: 'Waits until objects are ready, rolled out, deleted, or as an expression says.',
    guaranteeNote: 'It only reads.',
    config,
    example: {
      cluster: '{{ inputs.cluster }}',
      api_version: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: 'web',
      until: 'rollout',
    },
    output: {
      type: 'object',
      properties: { objects: { type: 'array', items: { type: 'string' } }, waited_ms: { type: 'integer' } },
    },
    permission: 'kubernetes.read',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: 'pure',
    async execute(context, given) {
      if (given.until === 'expression' && given.expression === undefined) {
        throw new StepFailure('Give the expression to wait for.')
      }
      const session = await openSession(parts, context, given.cluster, 'kubernetes.read')
      const startedAt = parts.clock.monotonicMs()
      let logged = ''
      for (;;) {
        const { objects } = await findObjects(session, given)
        const waitedMs = Math.round(parts.clock.monotonicMs() - startedAt)
        const { isReached, text } = stateOf(objects, given)
        if (isReached) return { objects: objects.map(labelOf), waited_ms: waitedMs }
        if (text !== logged) context.log(text)
        logged = text
        if (waitedMs + pollMs > given.timeout_ms) {
          throw new StepFailure(`The time limit is over: ${text}`, { reason: 'timeout' })
        }
        await context.sleep(pollMs)
      }
    },
  }
}

function stateOf(objects: readonly KubeObject[], given: Config): State {
  if (given.until === 'deleted') {
    const [first] = objects
    return {
      isReached: first === undefined,
      text: first ? `${labelOf(first)} is still there${more(objects)}.` : '',
    }
  }
  if (objects.length === 0) return { isReached: false, text: `There is no such ${given.kind} yet.` }
  for (const object of objects) {
    const { isReached, text } = stateOfOne(object, given)
    if (!isReached) return { isReached, text: `${labelOf(object)}: ${text}` }
  }
  return { isReached: true, text: '' }
}

function stateOfOne(object: KubeObject, given: Config): State {
  switch (given.until) {
    case 'rollout': {
      const { state, text } = rolloutState(object)
      if (state === 'failed') throw new StepFailure(`${labelOf(object)}: ${text}`)
      return { isReached: state === 'complete', text }
    }
    case 'expression':
      return isTrue(given.expression ?? '', object)
    default:
      return conditionState(object, given.condition)
  }
}

function conditionState(object: KubeObject, type: string): State {
  const conditions = (object.status?.['conditions'] ?? []) as {
    type?: string
    status?: string
    message?: string
    reason?: string
  }[]
  const found = conditions.find((each) => each.type === type)
  if (found?.status === 'True') return { isReached: true, text: '' }
  const why = found?.message ?? found?.reason
  return { isReached: false, text: `${type} is ${found?.status ?? 'not known'}${why ? ` (${why})` : ''}` }
}

/** A field that the status does not have yet is no failure. */
function isTrue(expression: string, object: KubeObject): State {
  try {
    const isReached = evaluateCondition(expression, { object: shownObject(object) })
    return { isReached, text: 'the expression is false' }
  } catch (error) {
    return { isReached: false, text: error instanceof Error ? error.message : String(error) }
  }
}

function more(objects: readonly KubeObject[]): string {
  return objects.length > 1 ? `, and ${objects.length - 1} more` : ''
}
