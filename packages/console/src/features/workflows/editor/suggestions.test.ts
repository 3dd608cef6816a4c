import type { StepTypeInfo } from '@bey/contract'
import { expect, test } from 'vitest'
import { readDraft } from '../definition/draft.ts'
import { matching, suggestionsFor, typedName } from './suggestions.ts'

function draft(text: string) {
  const read = readDraft(text)
  if (read.unreadable) throw new Error(read.unreadable.message)
  return read.draft
}

const text = `name: W
input_schema: { type: object, properties: { version: { type: string } } }
steps:
  - { key: plan, type: http }
  - { key: apply, type: http }
  - { key: other, type: http, needs: [] }
`

test('a step may name inputs, the steps before it with their values, and secrets', () => {
  const known = {
    inputs: { version: '2.13' },
    steps: { plan: { output: { url: 'http://a', deep: { x: 1 } } } },
  }
  const names = suggestionsFor(draft(text), 1, known, [], ['smoke-token'])
  expect(names).toContainEqual({ name: 'inputs.version', detail: '"2.13"' })
  expect(names).toContainEqual({ name: 'steps.plan.output.deep.x', detail: '1' })
  expect(names).toContainEqual({
    name: 'secrets.smoke-token',
    detail: 'hidden; the step may use it',
    isSecret: true,
  })
  const ofOther = suggestionsFor(draft(text), 2, known, [], [])
  expect(ofOther.some(({ name }) => name.startsWith('steps.'))).toBe(false)
})

test('what is typed is a name only where an expression is', () => {
  expect(typedName('https://{{ inputs.ver', 'template')).toEqual({
    name: 'inputs.ver',
    from: 11,
    isInBraces: true,
  })
  expect(typedName('{{ inputs.a }}/health', 'template')).toBeUndefined()
  expect(typedName('a == inputs.v', 'expression')).toEqual({ name: 'inputs.v', from: 5, isInBraces: false })
  expect(typedName('a == "inputs', 'expression')).toBeUndefined()
})

test('what begins as typed comes first', () => {
  const all = ['steps.a.output', 'inputs.version', 'run.id'].map((name) => ({ name, detail: '' }))
  expect(matching(all, 'ver').map(({ name }) => name)).toEqual(['inputs.version'])
  expect(matching(all, 'in')[0]?.name).toBe('inputs.version')
  expect(matching(all, '')).toHaveLength(3)
})

test('the expression of a step’s own type knows what the step got in an earlier run, and nothing else', () => {
  const types = [
    { type: 'http', configSchema: { properties: { success: { 'x-expression': ['response'] } } } },
  ] as unknown as readonly StepTypeInfo[]
  const known = { steps: { apply: { output: { status: 200 } } } }
  const own = suggestionsFor(draft(text), 1, known, types, []).filter(({ variable }) => variable)
  expect(own).toEqual([
    { name: 'response', detail: '{"status":200}', variable: 'response' },
    { name: 'response.status', detail: '200', variable: 'response' },
  ])
})
