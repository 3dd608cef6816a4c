import { expect, test } from 'vitest'
import { templateOf } from './trace-call.ts'

test.each([
  ['/api/v1/namespaces', '/api/v1/namespaces'],
  ['/api/v1/namespaces/canary', '/api/v1/namespaces/{name}'],
  ['/api/v1/namespaces/canary/secrets/canary', '/api/v1/namespaces/{namespace}/secrets/{name}'],
  [
    '/api/v1/namespaces/canary/pods/canary/log?tailLines=canary',
    '/api/v1/namespaces/{namespace}/pods/{name}/log',
  ],
  [
    '/api/v1/namespaces/canary/services/canary/proxy/canary/canary',
    '/api/v1/namespaces/{namespace}/services/{name}/proxy',
  ],
  ['/api/v1/nodes/canary/canary', '/api/v1/nodes/{name}/{subresource}'],
  [
    '/apis/apps/v1/namespaces/canary/deployments?watch=1&labelSelector=canary',
    '/apis/apps/v1/namespaces/{namespace}/deployments',
  ],
  ['/apis/apps/v1', '/apis/apps/v1'],
  ['/version?canary', '/version'],
  ['/canary', '/{path}'],
])('%s is recorded as %s, without names', (path, template) => {
  expect(templateOf(path)).toBe(template)
  expect(templateOf(path)).not.toContain('canary')
})
