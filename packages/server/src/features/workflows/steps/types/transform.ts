import { z } from 'zod'

import type { ActionStepType } from '../step-type.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  values: z.record(z.string().min(1).max(63), z.unknown()).default({}).meta({
    title: 'Values',
    description: 'What the step gives back, by name. Each is a value or a template.',
    'x-widget': 'values',
  }),
})

export const transform: ActionStepType<typeof config> = {
  kind: 'action',
  type: 'transform',
  label: 'Transform',
  group: 'Data',
  icon: 'braces',
  description: 'Computes values out of inputs and earlier outputs, for the steps after it.',
  guaranteeNote: 'It only computes and touches nothing outside.',
  config,
  example: { values: { image: '{{ inputs.registry + "/" + inputs.name }}' } },
  output: { type: 'object', description: 'The values by their names.', additionalProperties: true },
  outputOf: ({ values }) =>
    typeof values === 'object' && values !== null
      ? { properties: Object.fromEntries(Object.keys(values).map((name) => [name, {}])) }
      : {},
  test: 'pure',
  guarantee: alwaysGuaranteed('exactly_once'),
  // Its templates are resolved before it is executed.
  execute: async (_context, { values }) => values,
}
