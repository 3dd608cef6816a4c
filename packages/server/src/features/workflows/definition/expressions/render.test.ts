import { expect, test } from 'vitest'

import { ExpressionError } from './expression-error.ts'
import { referencesOf, referencesOfExpression } from './references.ts'
import { refuseSecrets, renderConfig } from './render.ts'
import type { SecretReference } from './template.ts'

const scope = { inputs: { name: 'web', count: 2, list: [1, 2], none: null }, steps: {} }

function render(config: Record<string, unknown>, secrets: Record<string, string> = {}) {
  const asked: SecretReference[] = []
  const rendered = renderConfig(config, scope, async (secret) => {
    asked.push(secret)
    return secrets[secret.name] ?? ''
  })
  return rendered.then((value) => ({ value, asked }))
}

test.each([
  ['{{ inputs.count }}', 2],
  ['  {{ inputs.list }} ', [1, 2]],
  ['{{ {"a": {"b": inputs.count}} }}', { a: { b: 2 } }],
  ['{{ {"a":{"b":1}} }}', { a: { b: 1 } }],
  ['{{ "}}" }}', '}}'],
  [`{{ 'it\\'s }}' }}`, "it's }}"],
  ['{{ """a "}}" b""" }}', 'a "}}" b'],
  ['{{ "{{" }} .Values.x }}', '{{ .Values.x }}'],
  ['app-{{ inputs.name }}-{{inputs.count}}', 'app-web-2'],
  ['list {{ inputs.list }}, nothing {{ inputs.none }}.', 'list [1,2], nothing .'],
  ['no template } }', 'no template } }'],
])('%s', async (text, value) => {
  expect((await render({ field: text })).value).toEqual({ field: value })
})

test('templates are found anywhere in values, and never in names', async () => {
  const { value } = await render({ '{{ a }}': [{ deep: ['{{ inputs.name }}'] }], plain: 1 })
  expect(value).toEqual({ '{{ a }}': [{ deep: ['web'] }], plain: 1 })
})

test('what a value contains is not a template again', async () => {
  const rendered = await renderConfig(
    { a: '{{ inputs.x }}' },
    { inputs: { x: '{{ run.id }}' } },
    refuseSecrets,
  )
  expect(rendered).toEqual({ a: '{{ run.id }}' })
})

test('a secret is asked for with its version and field, and may stand within a text', async () => {
  const config = {
    header: 'Bearer {{ secrets.team/api-token@3 }}',
    password: '{{ secrets.db.main#password }}',
    whole: '{{secrets.a}}',
  }
  const { value, asked } = await render(config, { 'team/api-token': 't', 'db.main': 'p', a: 'x' })
  expect(value).toEqual({ header: 'Bearer t', password: 'p', whole: 'x' })
  expect(asked).toEqual([
    { name: 'team/api-token', version: 3 },
    { name: 'db.main', field: 'password' },
    { name: 'a' },
  ])
})

test.each([
  ['{{ inputs.name', 'open: "{{ inputs.name" opens a template that is not closed with }}.'],
  ['{{ secrets.a + "x" }}', 'open: "secrets.a + "x"" does not name a secret.'],
  ['{{ }}', 'open: The expression is empty.'],
  ['{{ inputs.missing }}', 'open: There is no "missing"'],
  [`{{ "${'x'.repeat(5_000)}" }}`, 'is not closed'],
])('%s fails and names the field', async (text, message) => {
  await expect(render({ open: text })).rejects.toThrow(message)
  await expect(render({ open: text })).rejects.toBeInstanceOf(ExpressionError)
})

test('a config larger than 1 MB with its values is refused', async () => {
  const config = { list: Array.from({ length: 40 }, () => '{{ inputs.big }}') }
  const big = { inputs: { big: 'x'.repeat(30_000) } }
  await expect(renderConfig(config, big, refuseSecrets)).rejects.toThrow('larger than 1 MB')
})

test('references name the steps, inputs and secrets of every template', () => {
  const references = referencesOf({
    a: 'x {{ steps.build.output.id }} {{ inputs.list.map(steps, steps.name) }}',
    b: ['{{ steps["deploy"].status }}', '{{ secrets.token@2 }}'],
    c: '{{ broken',
  })
  expect([...references.steps]).toEqual(['build', 'deploy'])
  expect([...references.inputs]).toEqual(['list'])
  expect(references.secrets).toEqual([{ name: 'token', version: 2 }])
  expect([...referencesOfExpression('has(steps.a.output) && inputs.b').steps]).toEqual(['a'])
})
