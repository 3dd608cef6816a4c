import { guaranteeOf, type StepGuaranteeName } from '@bey/contract'
import { afterAll, expect, test } from 'vitest'

import { toyEngine } from '../testing/toy-engine.ts'
import { createStepTypes } from './registry.ts'
import { stepTypeRoutes } from './routes.ts'
import type { StepType } from './step-type.ts'
import { describingParts } from './testing/describing-parts.ts'

const types = createStepTypes(describingParts)
const toy = await toyEngine()
afterAll(() => toy.engine.stop())

// They do nothing, but begin as they would: the engine records what it takes for their guarantee.
for (const type of types.values()) {
  if (type.kind === 'action') toy.stepTypes.set(type.type, { ...type, execute: async () => ({}) })
}

/** The rule of each type as the editor reads it from the API. */
async function rulesOnTheWire(): Promise<ReadonlyMap<string, StepType['guarantee']>> {
  const handler = stepTypeRoutes(types)['workflows.stepTypes'] as unknown as () => Promise<{
    stepTypes: readonly Pick<StepType, 'type' | 'guarantee'>[]
  }>
  const wire = JSON.parse(JSON.stringify(await handler())) as Awaited<ReturnType<typeof handler>>
  return new Map(wire.stepTypes.map(({ type, guarantee }) => [type, guarantee]))
}

/** A config without templates. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/\{\{.*?\}\}/g, 'x')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** The example of a type, and the same with each switch of its guarantee at each place. */
function configsOf(type: StepType): Record<string, unknown>[] {
  // An object, as every config.
  const example = plain(type.example) as Record<string, unknown>
  const switches = type.guarantee.cases.map(({ field }) => [field, placesOf(type, field)] as const)
  const all = switches.reduce<Record<string, unknown>[]>(
    (configs, [field, places]) =>
      configs.flatMap((config) => [config, ...places.map((place) => ({ ...config, [field]: place }))]),
    [example],
  )
  for (const config of all)
    expect(type.config.safeParse(config).error, JSON.stringify(config)).toBeUndefined()
  return all
}

function placesOf(type: StepType, field: string): unknown[] {
  const candidates = [true, false, [], ['api.example.org']]
  const schema = type.config.shape[field] as { safeParse(value: unknown): { success: boolean } }
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'use', 'fail']
  const places = [...candidates, ...methods].filter((each) => schema.safeParse(each).success)
  expect(places.length, `${type.type}.${field}`).toBeGreaterThan(1)
  return places
}

test(
  'editor, page, API and engine state the same guarantee for every type and every switch of it',
  { timeout: 120_000 },
  async () => {
    const onTheWire = await rulesOnTheWire()
    const flows = [...types.values()].filter(({ kind }) => kind === 'flow')
    const actions = [...types.values()].filter(({ kind }) => kind === 'action')
    const stated = new Set<StepGuaranteeName>()
    for (const group of [actions, ...flows.map((flow) => [flow])]) {
      const cases = group.flatMap((type) => configsOf(type).map((config) => ({ type: type.type, config })))
      const steps = cases.map((each, index) => ({ key: `s${index}`, name: each.type, needs: [], ...each }))
      const run = await toy.startOwn({ steps })
      // What steps of the engine wait for never comes.
      const detail =
        group === actions
          ? await toy.ended(run)
          : await toy.reached(run, ({ run: { startedAt } }) => startedAt !== null)
      if (group === actions) expect(detail.run.error).toBeNull()
      const { workflow } = await toy.workflows.get(run.organizationId, run.workflowId)
      for (const { key, type, config } of steps) {
        const named = `${type} ${JSON.stringify(config)}`
        const editor = guaranteeOf(onTheWire.get(type), config)
        expect(workflow.steps.find((each) => each.key === key)?.guarantee, `page: ${named}`).toBe(editor)
        expect(detail.steps.find((each) => each.key === key)?.guarantee, `run: ${named}`).toBe(editor)
        stated.add(editor)
      }
    }
    expect([...stated].sort()).toEqual(['at_least_once', 'at_least_once_keyed', 'exactly_once'])
  },
)

test('what may happen twice asks, whatever cannot or does no harm does not', () => {
  const stated: [string, Record<string, unknown>, StepGuaranteeName][] = [
    ['http', {}, 'at_least_once_keyed'],
    ['http', { method: 'POST' }, 'at_least_once'],
    ['http', { method: 'PATCH' }, 'at_least_once'],
    ['http', { method: 'POST', idempotency_key: true }, 'at_least_once_keyed'],
    ['http', { method: 'DELETE' }, 'at_least_once_keyed'],
    ['sql', {}, 'at_least_once_keyed'],
    ['sql', { read_only: false }, 'at_least_once'],
    ['script', {}, 'exactly_once'],
    ['script', { allow_network: [] }, 'exactly_once'],
    ['script', { allow_network: ['api.example.org'] }, 'at_least_once'],
    ['cluster.provision', {}, 'at_least_once_keyed'],
    ['cluster.provision', { if_exists: 'fail' }, 'at_least_once'],
    ['approval', {}, 'exactly_once'],
    ['transform', {}, 'exactly_once'],
    // Only the run knows the method.
    ['http', { method: '{{ inputs.method }}' }, 'at_least_once'],
    ['sql', { read_only: '{{ inputs.safe }}' }, 'at_least_once'],
  ]
  for (const [type, config, guarantee] of stated) {
    expect(guaranteeOf(types.get(type)?.guarantee, config), `${type} ${JSON.stringify(config)}`).toBe(
      guarantee,
    )
  }
  expect(guaranteeOf(undefined, {})).toBe('at_least_once')
})

test('a step whose switch is a template is recorded with the guarantee of its value', async () => {
  const config = { url: 'http://a.example', method: '{{ inputs.method }}' }
  const run = await toy.startOwn(
    { steps: [{ key: 'call', name: 'Call', type: 'http', config }] },
    { method: 'GET' },
  )
  const { workflow } = await toy.workflows.get(run.organizationId, run.workflowId)
  expect(workflow.steps[0]?.guarantee).toBe('at_least_once')
  expect((await toy.ended(run)).steps[0]).toMatchObject({
    status: 'succeeded',
    guarantee: 'at_least_once_keyed',
  })
})
