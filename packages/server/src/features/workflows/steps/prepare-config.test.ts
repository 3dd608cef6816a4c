import { expect, test } from 'vitest'
import { z } from 'zod'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { prepareConfig } from './prepare-config.ts'
import { stepTypesOf } from './registry.ts'
import type { ActionStepType, StepType } from './step-type.ts'
import { alwaysGuaranteed } from './guarantee.ts'

const config = z.strictObject({
  url: z.url(),
  count: z.number().int().default(1),
  code: z.string().default('').meta({ 'x-literal': true }),
  success: z
    .string()
    .default('true')
    .meta({ 'x-expression': ['response'] }),
})
const sample: ActionStepType<typeof config> = {
  kind: 'action',
  type: 'sample',
  label: 'Sample',
  group: 'Data',
  icon: 'x',
  description: '',
  guaranteeNote: '',
  config,
  example: { url: 'http://example.org' },
  output: {},
  test: 'pure',
  guarantee: alwaysGuaranteed('exactly_once'),
  execute: async () => undefined,
}
// As the registry holds it.
const type = sample as unknown as StepType
const scope = { inputs: { host: 'example.org', n: 3 } }

test('templates are resolved, defaults applied, and literal texts and expressions left as they stand', async () => {
  const given = {
    url: 'https://{{ inputs.host }}/{{ secrets.path }}',
    count: '{{ inputs.n }}',
    code: 'f({{ inputs.n }})',
    success: 'response.status == 200',
  }
  const prepared = await prepareConfig(type, given, scope, async () => 'path-to-top')
  expect(prepared.config).toEqual({
    url: 'https://example.org/path-to-top',
    count: 3,
    code: 'f({{ inputs.n }})',
    success: 'response.status == 200',
  })
  expect(prepared.mask('path-to-top and more')).toBe('••• and more')
})

test('a config that is wrong after its templates are resolved names the field and not the value', async () => {
  const failing = prepareConfig(type, { url: '{{ secrets.path }}', more: 1 }, scope, async () => 'top-secret')
  await expect(failing).rejects.toThrow(/^The config of the step is wrong\. url: /)
  await expect(failing).rejects.not.toThrow('top-secret')
  await expect(failing).rejects.toBeInstanceOf(StepFailure)
})

test('an expression that has no value fails the step', async () => {
  const failing = prepareConfig(type, { url: '{{ inputs.missing }}' }, scope, async () => '')
  await expect(failing).rejects.toThrow('url: There is no "missing"')
  await expect(failing).rejects.toBeInstanceOf(StepFailure)
})

test('a type is found by its name, and no name represents two types', () => {
  expect(stepTypesOf([type]).get('sample')?.label).toBe('Sample')
  expect(() => stepTypesOf([type, type])).toThrow('"sample"')
})
