import { expect, test } from 'vitest'
import { definitionOf, definitionText } from './definition-text.ts'
import { readDraft } from './draft.ts'
import type { Draft } from './draft.ts'
import { withKey, withNeed, withoutStep, withStep, withValue } from './draft-edits.ts'

const text = `# Deploys the gateway
name: Deploy gateway
steps:
  # Looks before it leaps
  - key: check
    name: Check image
    type: http
    config:
      url: https://example.com/{{ inputs.version }} # the registry
  - key: apply
    name: Apply
    type: kubernetes.apply
    needs: [check]
    config: { manifest: "{{ steps.check.output.body }}" }
  - key: tell
    name: Tell
    type: notify
`

function draft(source = text): Draft {
  const read = readDraft(source)
  if (read.unreadable) throw new Error(read.unreadable.message)
  return read.draft
}

test('a value changes in its place, and comments and the rest of the text stay', () => {
  const changed = withValue(draft(), ['steps', 0, 'config', 'url'], 'https://example.org')
  expect(changed).toBe(text.replace('https://example.com/{{ inputs.version }}', 'https://example.org'))
})

test('a value is written so that it is read as what it is', () => {
  for (const value of [
    'yes',
    '5',
    'a: b',
    '- x',
    "it's",
    '{{ inputs.a }}',
    '',
    'two words',
    'https://a/b',
    '~',
    'a #b',
  ]) {
    const changed = withValue(draft(), ['steps', 0, 'name'], value)
    expect(draft(changed).steps[0]?.raw['name']).toBe(value)
    expect(changed).toContain('# Looks before it leaps')
  }
  const timed = withValue(draft(), ['steps', 0, 'timeout_ms'], 5_000)
  expect(draft(withValue(draft(timed), ['steps', 0, 'timeout_ms'], 7_000)).steps[0]?.raw['timeout_ms']).toBe(
    7_000,
  )
})

test('removing the last field of a config removes the config', () => {
  const changed = withValue(draft(), ['steps', 0, 'config', 'url'], undefined)
  expect(draft(changed).steps[0]?.raw).toEqual({ key: 'check', name: 'Check image', type: 'http' })
})

test('a step that is added after one in the middle names it, after the last one it need not', () => {
  const { steps } = draft()
  const inMiddle = withStep(draft(), { type: 'wait', name: 'Apply', config: { duration_ms: 5 } }, steps[0])
  expect(inMiddle.key).toBe('apply_2')
  expect(draft(inMiddle.text).steps[3]).toMatchObject({ type: 'wait', needs: ['check'] })
  const atEnd = withStep(draft(), { type: 'wait', name: 'Wait', config: {} }, steps[2])
  expect(draft(atEnd.text).steps[3]?.raw).toEqual({ key: 'wait', name: 'Wait', type: 'wait' })
})

test('the first step of an empty text makes the list', () => {
  const { text: made } = withStep(draft('name: New\n'), { type: 'wait', name: 'Wait', config: {} }, undefined)
  expect(made).toBe('name: New\nsteps:\n  - key: wait\n    name: Wait\n    type: wait\n')
})

test('what waited for a removed step waits for what that waited for', () => {
  const { steps } = draft(withoutStep(draft(), 1))
  expect(steps.map(({ key }) => key)).toEqual(['check', 'tell'])
  expect(steps[1]?.needs).toBeUndefined()
  const first = draft(withoutStep(draft(), 0))
  expect(first.steps[0]).toMatchObject({ key: 'apply', needs: [] })
})

test('a new key is written into needs and expressions of other steps', () => {
  const read = draft()
  const [check] = read.steps
  if (!check) throw new Error('no step')
  const changed = draft(withKey(read, check, 'verify'))
  expect(changed.steps[1]?.needs).toEqual(['verify'])
  expect(changed.text).toContain('{{ steps.verify.output.body }}')
  expect(changed.text).toContain('# Looks before it leaps')
})

test('an edge that is drawn or removed is written under the type of the step', () => {
  const connected = withNeed(draft(), 2, 'check', true)
  expect(connected).toContain('    type: notify\n    needs: [apply, check]\n')
  expect(draft(withNeed(draft(connected), 2, 'apply', false)).steps[2]?.needs).toEqual(['check'])
})

test('a definition is the same after text and back, defaults left out', () => {
  const definition = {
    name: 'Deploy',
    description: '',
    inputSchema: { type: 'object', properties: { camelCase: { type: 'string', default: 'yes' } } },
    steps: [
      {
        key: 'a',
        name: 'A',
        type: 'script',
        timeoutMs: 5_000,
        retry: { limit: 2, initialMs: 100 },
        config: { source: 'line 1\nline 2\n', keepCase: '007' },
      },
    ],
    outputs: {},
    queueTimeoutMs: 60_000,
  }
  const made = definitionText(definition)
  expect(made).toContain('timeout_ms: 5000')
  expect(made).toContain('retry: { limit: 2, initial_ms: 100 }')
  expect(made).not.toContain('description')
  const { description: _, outputs: __, ...said } = definition
  expect(definitionOf(draft(made).root)).toEqual(said)
})

test('a text that is no YAML says where', () => {
  const read = readDraft('name: x\nsteps:\n  - key: [a\n')
  expect(read.unreadable?.line).toBeGreaterThanOrEqual(3)
  expect(readDraft('- a\n- b\n').unreadable?.message).toContain('name, steps')
})
