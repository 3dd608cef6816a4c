import { workflowDefinition, type WorkflowDefinitionInput } from '@bey/contract/workflows/definition'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { checkStep, checkSteps } from './check-step.ts'
import { alwaysGuaranteed, guaranteedBy } from './guarantee.ts'
import { stepTypesOf } from './registry.ts'
import type { ActionStepType, FlowStepType } from './step-type.ts'
import { subworkflow, waitEvent } from './types/flow.ts'
import { transform } from './types/transform.ts'

const described = {
  label: '',
  group: 'Data',
  icon: 'x',
  description: '',
  guaranteeNote: '',
  output: {},
} as const
const callConfig = z.strictObject({
  cluster: z.union([z.number().int(), z.string().min(1)]).meta({ 'x-widget': 'cluster' }),
  url: z.url(),
  headers: z.record(z.string(), z.string()).default({}),
  isSafe: z.boolean().default(false),
  code: z.string().default('').meta({ 'x-literal': true }),
  success: z
    .string()
    .default('true')
    .meta({ 'x-expression': ['response'] }),
})
const call: ActionStepType<typeof callConfig> = {
  ...described,
  kind: 'action',
  type: 'call',
  config: callConfig,
  example: { cluster: 1, url: 'http://a.example' },
  test: 'real_only',
  guarantee: guaranteedBy(
    callConfig,
    [{ field: 'isSafe', values: [true], guarantee: 'at_least_once_keyed' }],
    'at_least_once',
  ),
  execute: async () => undefined,
}
const waitConfig = z.strictObject({ duration_ms: z.number().int() })
const wait: FlowStepType<typeof waitConfig> = {
  ...described,
  kind: 'flow',
  flow: 'wait',
  type: 'wait',
  guarantee: alwaysGuaranteed('exactly_once'),
  config: waitConfig,
  example: { duration_ms: 1 },
}
const types = stepTypesOf([call, wait, waitEvent, subworkflow, transform])
const good = { cluster: 'prod', url: 'https://a.example' }

type StepInput = WorkflowDefinitionInput['steps'][number]
function definition(steps: Partial<StepInput>[], rest: Partial<WorkflowDefinitionInput> = {}) {
  const input_schema = { type: 'object', properties: { name: { type: 'string' } } }
  return workflowDefinition.parse({
    name: 'w',
    inputSchema: input_schema,
    steps: steps.map((step, index) => ({ key: `s${index}`, name: 's', type: 'call', config: good, ...step })),
    ...rest,
  })
}

function problemsOf(steps: Partial<StepInput>[], rest?: Partial<WorkflowDefinitionInput>) {
  const known = {
    hasSecret: (name: string) => name === 'token',
    hasCluster: (cluster: number | string) => cluster === 'prod',
    hasWorkflow: (workflow: string) => workflow === 'deploy',
    outputsOf: () => ['url'],
  }
  return checkSteps(definition(steps, rest), types, known).map(
    ({ path, severity, message }) => `${severity === 'warning' ? 'warning ' : ''}${path}: ${message}`,
  )
}

test('a definition that is right has no problems', () => {
  const steps = [
    { when: 'inputs.name != ""' },
    {
      config: {
        ...good,
        cluster: '{{ inputs.name }}',
        url: '{{ steps.s0.output.url }}',
        headers: { authorization: 'Bearer {{ secrets.token }}' },
        success: 'response.status == 200',
      },
      foreach: { items: 'steps.s0.output.items' },
      concurrency: { key: 'x-{{ item }}' },
    },
    { type: 'wait', config: { duration_ms: '{{ int(inputs.name) }}' }, needs: [] },
  ]
  expect(problemsOf(steps, { outputs: { url: '{{ steps.s1.output }}' } })).toEqual([])
})

test.each<[string, Partial<StepInput>, string]>([
  ['an unknown type', { type: 'cal' }, 'steps[1].type: There is no type "cal". Did you mean "call"?'],
  ['a missing field', { config: { cluster: 'prod' } }, 'steps[1].config.url: '],
  ['a field of the wrong kind', { config: { ...good, url: 'nowhere' } }, 'steps[1].config.url: Invalid URL'],
  [
    'a field that is not known',
    { config: { ...good, more: '{{ 1 }}' } },
    'steps[1].config: Unrecognized key: "more"',
  ],
  [
    'a template that does not close',
    { config: { ...good, url: '{{ a' } },
    'steps[1].config.url: "{{ a" opens',
  ],
  [
    'an expression that is wrong within a list',
    { type: 'transform', config: { values: { a: ['{{ 1 + }}'] } } },
    'steps[1].config.values.a[0]: Unexpected',
  ],
  [
    'an expression of the type that is wrong',
    { config: { ...good, success: 'steps.s0.status' } },
    'steps[1].config.success: "steps" is not known here. Known here: response.',
  ],
  [
    'a step that does not exist',
    { config: { ...good, url: '{{ steps.nope.output }}' } },
    'steps[1].config.url: There is no step "nope".',
  ],
  ['itself', { when: 'steps.s1.status == ""' }, 'steps[1].when: The step "s1" may not have ended yet.'],
  ['a later step', { when: 'steps.s2.status == ""' }, 'steps[1].when: The step "s2" may not have ended yet.'],
  [
    'a step beside it',
    { needs: [], when: 'steps.s0.status == ""' },
    'steps[1].when: The step "s0" may not have ended yet.',
  ],
  ['an item without foreach', { when: 'item == 1' }, 'steps[1].when: "item" is not known here.'],
  [
    'an unknown input',
    { when: 'inputs.nam == ""' },
    'warning steps[1].when: The input "nam" is not in the schema of the input.',
  ],
  [
    'a secret that does not exist',
    { config: { ...good, headers: { a: '{{ secrets.other }}' } } },
    'warning steps[1].config.headers.a: There is no secret "other" in this organization.',
  ],
  [
    'a secret in a condition',
    { when: 'secrets.token == ""' },
    'steps[1].when: "secrets" is not known here. A secret stands in a template',
  ],
  [
    'a secret in a concurrency key',
    { concurrency: { key: '{{ secrets.token }}' } },
    'steps[1].concurrency.key: The secret "token" cannot be used here',
  ],
  [
    'a cluster that does not exist',
    { config: { ...good, cluster: 7 } },
    'warning steps[1].config.cluster: There is no cluster "7" in this organization.',
  ],
  [
    'a compensation that undoes nothing',
    { compensate: { type: 'wait', config: { duration_ms: 1 } } },
    'steps[1].compensate.type: "wait" undoes nothing.',
  ],
  [
    'a sub-workflow that does not exist',
    { type: 'subworkflow', config: { workflow: 'deploi' } },
    'warning steps[1].config.workflow: There is no workflow "deploi" in this organization.',
  ],
  [
    'a field that an event does not have',
    {
      type: 'wait_event',
      config: { event: 'CLUSTER_HEALTH_UPDATE', match: 'event.clusterId == 4' },
    },
    'steps[1].config.match: There is no "clusterId" in event. Did you mean "cluster_id"?',
  ],
])('%s is named with its field', (_name, step, problem) => {
  const problems = problemsOf([{}, step, {}])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})

test('a template in a literal field is text and no problem; a compensation may read its own step', () => {
  const compensate = { type: 'call', config: { ...good, url: '{{ steps.s0.output.undo }}' } }
  expect(problemsOf([{ config: { ...good, code: '{{ nonsense' }, compensate }])).toEqual([])
})

test('outputs may name every step and no secret', () => {
  expect(problemsOf([{}], { outputs: { a: '{{ steps.x.output }} {{ secrets.token }}' } })).toEqual([
    'outputs.a: The secret "token" cannot be used here: secrets stand in config only.',
    'outputs.a: There is no step "x".',
  ])
})

test('one step is checked by itself', () => {
  const one = definition([{}, { type: 'nothing' }])
  expect(one.steps.map((step) => checkStep(step, one, types).length)).toEqual([0, 1])
})

test('5,000 steps in a row that each read the first have no problem', () => {
  const steps = Array.from({ length: 5_000 }, (_, index) =>
    index === 0 ? {} : { when: 'steps.s0.status == "succeeded"' },
  )
  expect(checkSteps(definition(steps), types)).toEqual([])
})

test('a problem of an expression has its place in the text of the field', () => {
  const config = { ...good, headers: { a: 'x\n{{ inputs.name }} {{ inputs.name ==\n }}' } }
  const problems = checkSteps(definition([{ when: 'run.idd == ""', config }]), types)
  expect(problems.map(({ path, position }) => [path, position])).toEqual([
    ['steps[0].when', { offset: 4, length: 3, line: 1, column: 5 }],
    ['steps[0].config.headers.a', { offset: 37, length: 0, line: 2, column: 36 }],
  ])
})

const values = { type: 'transform', config: { values: { image: 'a', tags: ['b'] } } }
test.each<[name: string, first: Partial<StepInput>, expression: string, problem: string | undefined]>([
  ['an output that its step has', values, 'steps.s0.output.image', undefined],
  [
    'one that it has not',
    values,
    'steps.s0.output.imag',
    'There is no "imag" in steps.s0.output. Did you mean "image"?',
  ],
  [
    'a field of a step',
    values,
    'steps.s0.outputs',
    'There is no "outputs" in steps.s0. Did you mean "output"?',
  ],
  [
    'the field of an event that was waited for',
    { type: 'wait_event', config: { event: 'CLUSTER_HEALTH_UPDATE' } },
    'steps.s0.output.event.reasons',
    'There is no "reasons" in steps.s0.output.event. Did you mean "reason"?',
  ],
  [
    'an output of a sub-workflow',
    { type: 'subworkflow', config: { workflow: 'deploy' } },
    'steps.s0.output.output.uri',
    'There is no "uri" in steps.s0.output.output. Did you mean "url"?',
  ],
  [
    'any output of a version of it',
    { type: 'subworkflow', config: { workflow: 'deploy', version: 2 } },
    'steps.s0.output.output.uri',
    undefined,
  ],
  [
    'a result of a loop',
    { ...values, foreach: { items: '[1]' } },
    'steps.s0.output.results.filter(r, r.statu == "failed")',
    'There is no "statu" in r. Did you mean "status"?',
  ],
  ['anything of what nothing is known of', { config: good }, 'steps.s0.output.a.b.c', undefined],
])('%s is known where it is used', (_name, first, expression, problem) => {
  const problems = problemsOf([first, { when: `toJson(${expression}) == ""` }])
  expect(problems).toEqual(problem === undefined ? [] : [`steps[1].when: ${problem}`])
})

test('the items of a loop are known to its step', () => {
  const loop = { ...values, foreach: { items: 'steps.s0.output.results' } }
  const first = { ...values, foreach: { items: '[1]' } }
  const config = { values: { good: '{{ item.status }}', bad: '{{ item.state }}' } }
  expect(problemsOf([first, { ...loop, config }])).toEqual([
    'steps[1].config.values.bad: There is no "state" in item. Did you mean "status"?',
  ])
})

test('outputs of the workflow name what their steps have', () => {
  expect(
    problemsOf([values], { outputs: { a: '{{ steps.s0.output.image }} {{ steps.s0.output.nope }}' } }),
  ).toEqual(['outputs.a: There is no "nope" in steps.s0.output. It has: image, tags.'])
})
