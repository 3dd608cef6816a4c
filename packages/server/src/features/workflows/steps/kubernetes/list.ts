import { workflowLimits } from '@bey/contract'
import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { evaluate } from '../../definition/expressions/evaluate.ts'
import { ExpressionError } from '../../definition/expressions/expression-error.ts'
import type { StepParts } from '../ports.ts'
import type { ValueSchema } from '../../definition/expressions/value-schema.ts'
import type { ActionStepType } from '../step-type.ts'
import { clusterField, expectStatus, openSession } from './cluster-session.ts'
import { type KubeObject, labelOf, shownObject } from './kube-object.ts'
import { kindFields, selectorField } from './object-target.ts'
import { createFindPaths } from './resource-paths.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const expression = z.string().min(1).max(workflowLimits.expressionChars)

const config = z.strictObject({
  cluster: clusterField,
  ...kindFields,
  selector: selectorField,
  field_selector: z.string().max(1_000).optional().meta({
    title: 'Field selector',
    description: 'E.g. status.phase=Failed.',
  }),
  where: expression.optional().meta({
    title: 'Only where',
    description: 'CEL expression over object; objects for which it is true are kept.',
    'x-widget': 'expression',
    'x-expression': ['object'],
  }),
  select: z
    .record(z.string().min(1).max(63), expression)
    .optional()
    .meta({
      title: 'Fields',
      description:
        'CEL expressions over object, by the name of the field. Without them items are whole objects.',
      'x-widget': 'expressions',
      'x-expression': ['object'],
    }),
  limit: z.number().int().min(1).max(500).default(100).meta({ title: 'At most' }),
})
type Config = z.output<typeof config>

/** Objects that one step looks at, whatever it keeps. */
const maxRead = 5_000

export function kubernetesList(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.list',
    label: 'List objects',
    group: 'Kubernetes',
    icon: 'list-filter',
    description: 'Lists objects into the output, filtered and cut down to the fields that are needed.',
    guaranteeNote: 'It only reads.',
    config,
    example: {
      cluster: '{{ inputs.cluster }}',
      api_version: 'v1',
      kind: 'Pod',
      namespace: 'default',
      where: 'object.status.phase != "Running"',
      select: { name: 'object.metadata.name', phase: 'object.status.phase' },
    },
    output: {
      type: 'object',
      properties: {
        items: { type: 'array' },
        count: { type: 'integer' },
        truncated: { type: 'boolean', description: 'There are more than the limit.' },
      },
    },
    outputOf: ({ select }) => ({
      properties: { items: { items: selectedSchema(select) }, count: {}, truncated: {} },
    }),
    permission: 'kubernetes.read',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: 'pure',
    async execute(context, given) {
      const session = await openSession(parts, context, given.cluster, 'kubernetes.read')
      const paths = await createFindPaths(session)(given.api_version, given.kind)
      const items: unknown[] = []
      let read = 0
      let next = ''
      do {
        const reply = await session.call('GET', `${paths.list(given.namespace)}?${queryOf(given, next)}`)
        expectStatus(reply, [200], `Objects of the kind ${given.kind} could not be listed`)
        const page = (reply.body['items'] ?? []) as KubeObject[]
        for (const item of page) {
          const object = shownObject({ ...item, apiVersion: given.api_version, kind: given.kind })
          if (items.length <= given.limit && isWanted(object, given)) items.push(selected(object, given))
        }
        read += page.length
        next = (reply.body as KubeObject & { metadata?: { continue?: string } }).metadata?.continue ?? ''
      } while (next !== '' && items.length <= given.limit && read < maxRead)
      const truncated = items.length > given.limit || next !== ''
      const kept = items.slice(0, given.limit)
      context.log(`${kept.length} of ${read} looked at${truncated ? '; there are more' : ''}.`)
      return { items: kept, count: kept.length, truncated }
    },
  }
}

function queryOf({ selector, field_selector: fieldSelector }: Config, next: string): string {
  const query = new URLSearchParams({ limit: '500' })
  if (selector) query.set('labelSelector', selector)
  if (fieldSelector) query.set('fieldSelector', fieldSelector)
  if (next !== '') query.set('continue', next)
  return query.toString()
}

function isWanted(object: KubeObject, { where }: Config): boolean {
  if (where === undefined) return true
  return withPlace(object, () => evaluate(where, { object })) === true
}

function selected(object: KubeObject, { select }: Config): unknown {
  if (select === undefined) return object
  return Object.fromEntries(
    Object.entries(select).map(([name, source]) => [
      name,
      withPlace(object, () => evaluate(source, { object })),
    ]),
  )
}

function withPlace<T>(object: KubeObject, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new StepFailure(`${labelOf(object)}: ${error.message}`, { cause: error })
  }
}

/** What an item has: the fields that are selected, or anything. */
function selectedSchema(select: unknown): ValueSchema {
  if (typeof select !== 'object' || select === null) return {}
  return { properties: Object.fromEntries(Object.keys(select).map((name) => [name, {}])) }
}
