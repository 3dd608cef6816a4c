import { expect, test } from 'vitest'
import { parseManifest } from './manifest-documents.ts'
import { groupVersion, schemaAt, schemaSet, typeText } from './open-api.ts'
import { nearest, validateDocument } from './validate-manifest.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const set = schemaSet(
  {
    components: {
      schemas: {
        Widget: {
          type: 'object',
          required: ['spec'],
          properties: {
            apiVersion: { type: 'string' },
            kind: { type: 'string' },
            metadata: { type: 'object' },
            spec: { description: 'What is wanted.', allOf: [ref('WidgetSpec')], default: {} },
          },
          'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Widget' }],
        },
        WidgetSpec: {
          type: 'object',
          required: ['size'],
          properties: {
            size: { type: 'integer', minimum: 1 },
            color: { type: 'string', enum: ['red', 'green'] },
            port: { 'x-kubernetes-int-or-string': true },
            isOpen: { type: 'boolean' },
            parts: { type: 'array', items: ref('Part') },
            labels: { type: 'object', additionalProperties: { type: 'string' } },
            free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
        Part: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
  },
  'example.com',
  'v1',
)

function problems(spec: string) {
  const text = `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n${spec}`
  return parseManifest(text).documents.flatMap((document) =>
    validateDocument(document, set).map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`),
  )
}

test('what fits the schema has no problems', () => {
  const spec =
    'spec:\n  size: 1\n  color: red\n  port: http\n  labels: {a: b}\n  free: {x: 1}\n  parts: [{name: a}]\n'
  expect(problems(spec)).toEqual([])
})

test('unknown fields are named with what was meant, at any depth', () => {
  expect(problems('spec:\n  size: 1\n  colour: red\n  parts:\n    - nmae: a\n')).toEqual([
    'colour: spec has no field "colour". Do you mean "color"?',
    'nmae: An item of parts has no field "nmae". Do you mean "name"?',
  ])
})

test('missing fields, wrong types, bounds and choices each have a sentence at their place', () => {
  expect(problems('')).toEqual(['apiVersion: Widget needs the field "spec".'])
  expect(
    problems('spec:\n  size: 0\n  color: rde\n  isOpen: "yes"\n  labels:\n    a: 1\n  parts: {}\n'),
  ).toEqual([
    '0: size is at least 1.',
    'rde: color is one of red, green. Do you mean red?',
    '"yes": isOpen takes a boolean, not "yes".',
    '1: a takes a string: put quotes around 1.',
    '{}: parts takes a list of objects, not a map of keys.',
  ])
})

test('a schema is found by its path, through references and lists', () => {
  const schema = schemaAt(set, 'Widget', ['spec', 'parts', 3, 'name'])
  expect(schema?.type).toBe('string')
  expect(schemaAt(set, 'Widget', ['spec'])?.description).toBe('What is wanted.')
  expect(schemaAt(set, 'Widget', ['spec', 'nothing'])).toBeUndefined()
  expect(typeText(set, schemaAt(set, 'Widget', ['spec', 'port']) ?? {})).toBe('integer or string')
  expect(groupVersion('v1')).toEqual({ group: '', version: 'v1' })
})

test('a word that is nothing like any other has no suggestion', () => {
  expect(nearest('replica', ['replicas', 'selector'])).toBe('replicas')
  expect(nearest('xyz', ['replicas', 'selector'])).toBeUndefined()
})
