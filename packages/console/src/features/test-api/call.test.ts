import { expect, test } from 'vitest'
import type { ApiOperation, ApiParameter } from '../../data/api-reference.ts'
import { callOf, isDestructive, problemOf } from './call.ts'
import { exampleOf } from './example.ts'

const parameter = (
  name: string,
  place: ApiParameter['in'],
  part: Partial<ApiParameter> = {},
): ApiParameter => ({
  name,
  in: place,
  required: place === 'path',
  schema: { type: 'string' },
  ...part,
})
const operation = (part: Partial<ApiOperation>): ApiOperation => ({
  operationId: 'things.get',
  group: 'things',
  method: 'GET',
  path: '/api/things/{id}',
  summary: '',
  access: 'clusters.read',
  parameters: [parameter('id', 'path'), parameter('q', 'query'), parameter('x-organization-id', 'header')],
  body: undefined,
  ...part,
})

test('values go where they belong, and what is empty is not sent', () => {
  const call = callOf(operation({}), { values: { id: 'a/b ', q: 'x&y' }, body: '' }, 3)
  expect(call).toEqual({
    method: 'GET',
    path: '/api/things/a%2Fb?q=x%26y',
    headers: { 'x-organization-id': '3' },
    body: undefined,
  })
  expect(callOf(operation({}), { values: { id: '1', q: ' ' }, body: '' }, 3).path).toBe('/api/things/1')
})

test('the rest of a path keeps its slashes, lists are repeated, keys go into headers', () => {
  const wide = operation({
    path: '/proxy/{path}',
    parameters: [
      parameter('path', 'path'),
      parameter('kind', 'query', { schema: { type: 'array' } }),
      parameter('Idempotency-Key', 'header'),
    ],
  })
  const values = { path: 'api/v1/a b', kind: 'x, y', 'Idempotency-Key': 'k' }
  expect(callOf(wide, { values, body: '' }, 3)).toMatchObject({
    path: '/proxy/api/v1/a%20b?kind=x&kind=y',
    headers: { 'Idempotency-Key': 'k' },
  })
})

test('what is missing or no JSON is said before it is sent', () => {
  expect(problemOf(operation({}), { values: {}, body: '' })).toBe('Fill in id.')
  const withBody = operation({ parameters: [], body: { type: 'object' } })
  expect(problemOf(withBody, { values: {}, body: '{' })).toMatch(/^The body is not JSON/)
  expect(problemOf(withBody, { values: {}, body: '{}' })).toBeUndefined()
})

test('what takes something away is asked about', () => {
  expect(isDestructive(operation({ method: 'DELETE' }))).toBe(true)
  expect(isDestructive(operation({ operationId: 'clusters.startDeletion', method: 'POST' }))).toBe(true)
  expect(isDestructive(operation({ operationId: 'clusters.create', method: 'POST' }))).toBe(false)
  expect(isDestructive(operation({}))).toBe(false)
})

test('an example has what is required, in the shape that is asked for', () => {
  expect(
    exampleOf({
      type: 'object',
      required: ['title', 'provider', 'count', 'groups', 'maybe'],
      properties: {
        title: { type: 'string', minLength: 3 },
        provider: { enum: ['sandbox', 'kubeconfig'] },
        count: { type: 'integer', minimum: 2 },
        groups: {
          type: 'array',
          items: { type: 'object', required: ['id'], properties: { id: { format: 'uuid', type: 'string' } } },
        },
        maybe: { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
        optional: { type: 'string' },
      },
    }),
  ).toEqual({
    title: 'example',
    provider: 'sandbox',
    count: 2,
    groups: [{ id: '00000000-0000-7000-8000-000000000000' }],
    maybe: false,
  })
})
