import { expect, test } from 'vitest'
import { openApiOf } from './openapi.ts'

const { paths } = openApiOf('1')
const codesOf = (path: string, method: string) =>
  Object.values(paths[path]?.[method]?.responses ?? {}).flatMap((response) => response['x-codes'] ?? [])

test('whatever reads a body says what a body can be refused for, also where it takes none', () => {
  for (const [path, method] of [
    ['/api/organizations', 'post'],
    ['/api/annotations/export', 'post'],
    ['/api/notifications/{id}', 'delete'],
  ] as const) {
    expect(codesOf(path, method)).toEqual(
      expect.arrayContaining(['malformed_json', 'payload_too_large', 'unsupported_media_type']),
    )
  }
  expect(codesOf('/api/organizations', 'get')).not.toContain('malformed_json')
})

test('errors of the cluster proxy are described as the Status objects that they are', () => {
  for (const operation of Object.values(paths['/api/kubernetes/clusters/{id}/proxy/{path}'] ?? {})) {
    expect(Object.keys(operation.responses)).toEqual(['2XX', 'default'])
    expect(operation.responses['default']).toMatchObject({
      content: { 'application/json': { schema: { properties: { kind: { const: 'Status' } } } } },
    })
  }
})

test('what replies show has a name, which every reference finds', () => {
  const { components } = openApiOf('1')
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Run', 'Workflow', 'Secret', 'Cluster', 'Webhook', 'ApiKey', 'Actor', 'Problem']),
  )
  const text = JSON.stringify({ paths, components })
  const named = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference))
  for (const reference of named) {
    const name = reference.replace('#/components/schemas/', '')
    expect([reference, components.schemas[name]]).toEqual([reference, expect.any(Object)])
  }
  expect(components.schemas['Run']?.properties).toHaveProperty('workflow_id')
})

test('a body whose fields are all optional is not required', () => {
  const required = (path: string) => paths[path]?.['post']?.requestBody?.required
  expect(required('/api/v1/workflows/{id}/runs/{runId}/retry')).toBe(false)
  expect(required('/api/organizations')).toBe(true)
})
