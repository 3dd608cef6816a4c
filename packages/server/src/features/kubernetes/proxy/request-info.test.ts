import { describe, expect, test } from 'vitest'
import { auditClass, authorize, neededPermissions } from './authorize.ts'
import { isEndless, requestInfo, safeSegments } from './request-info.ts'

function info(method: string, url: string) {
  const [path = '', search = ''] = url.split('?')
  const segments = safeSegments(path)
  if (!segments) throw new Error(`Not safe: ${url}`)
  return requestInfo(method, segments, new URLSearchParams(search))
}

describe('a path that could be read in two ways is refused', () => {
  test.each([
    '/api/v1/../v1/secrets',
    '/api/v1/./pods',
    '/api/v1/%2e%2e/secrets',
    '/api/v1/%2E./secrets',
    '/api/v1/namespaces/a%2fb/pods',
    '/api/v1/namespaces/a%5cb/pods',
    '/api/v1\\pods',
    '/api//v1/pods',
    '//api/v1/pods',
    '/api/v1/%252e%252e/secrets',
    '/api/v1/pods%00',
    '/api/v1/pods%0d%0a',
    '/api/v1/pods;x=y',
    '/api/v1/%zz',
    '/api/v1/%ff',
    'api/v1/pods',
    '/api/v1/pods#x',
    '/api/v1/pöds',
    '',
  ])('%s', (path) => expect(safeSegments(path)).toBeUndefined())

  test.each([['/'], ['/api/'], ['/api/v1/clusterroles/system:node'], ['/api/v1/namespaces/a%3Ab']])(
    '%s is not',
    (p) => expect(safeSegments(p)).toBeDefined(),
  )
})

test.each([
  ['GET', '/api/v1/namespaces/a/pods', 'list', 'pods', '', 'a', ''],
  ['GET', '/api/v1/namespaces/a/pods/x', 'get', 'pods', '', 'a', 'x'],
  ['HEAD', '/api/v1/namespaces/a/pods/x', 'get', 'pods', '', 'a', 'x'],
  ['GET', '/api/v1/pods?watch=true', 'watch', 'pods', '', '', ''],
  ['GET', '/api/v1/pods?watch=1', 'watch', 'pods', '', '', ''],
  ['GET', '/api/v1/pods?watch', 'watch', 'pods', '', '', ''],
  ['GET', '/api/v1/pods?watch=false', 'list', 'pods', '', '', ''],
  ['GET', '/api/v1/watch/namespaces/a/secrets', 'watch', 'secrets', '', 'a', ''],
  ['GET', '/api/v1/namespaces/a', 'get', 'namespaces', '', 'a', 'a'],
  ['PUT', '/api/v1/namespaces/a/finalize', 'update', 'namespaces', 'finalize', 'a', 'a'],
  ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection', 'pods', '', 'a', ''],
  ['PATCH', '/apis/apps/v1/namespaces/a/deployments/d/scale', 'patch', 'deployments', 'scale', 'a', 'd'],
  ['GET', '/apis/apps/v1/namespaces/a/deployments/', 'list', 'deployments', '', 'a', ''],
])(
  '%s %s is understood as the API server does',
  (method, url, verb, name, subresource, namespace, objectName) => {
    expect(info(method, url)).toMatchObject({ verb, resource: { name, subresource, namespace, objectName } })
  },
)

test.each([
  ['GET', '/version'],
  ['GET', '/api'],
  ['GET', '/apis/apps/v1'],
  ['GET', '/openapi/v3'],
])('%s %s is no resource', (method, url) => expect(info(method, url).resource).toBeUndefined())

describe('what a role needs', () => {
  test.each([
    ['GET', '/version', 'VIEWER'],
    ['GET', '/api/v1/pods', 'VIEWER'],
    ['GET', '/api/v1/pods?watch=1', 'VIEWER'],
    ['GET', '/api/v1/namespaces/a/pods/x/log', 'VIEWER'],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'VIEWER'],
    ['POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', 'VIEWER'],
    ['POST', '/apis/example.com/v1/selfsubjectaccessreviews', 'MEMBER'],
    ['POST', '/api/v1/namespaces/a/pods', 'MEMBER'],
    ['DELETE', '/api/v1/namespaces/a/pods/x', 'MEMBER'],
    ['GET', '/api/v1/namespaces/a/secrets', 'MEMBER'],
    ['GET', '/api/v1/watch/secrets', 'MEMBER'],
    ['GET', '/api/v1/secrets?watch=1', 'MEMBER'],
    ['HEAD', '/api/v1/namespaces/a/secrets/s', 'MEMBER'],
    ['POST', '/api/v1/namespaces/a/serviceaccounts/default/token', 'MEMBER'],
    ['GET', '/api/v1/namespaces/a/pods/x/exec?command=ls', 'MEMBER'],
    ['GET', '/api/v1/namespaces/a/pods/x/portforward', 'MEMBER'],
    ['GET', '/api/v1/namespaces/a/services/s/proxy/admin', 'MEMBER'],
  ] as const)('%s %s: %s', (method, url, least) => {
    const request = info(method, url)
    expect(authorize({ role: 'VIEWER' }, request).isAllowed).toBe(least === 'VIEWER')
    expect(authorize({ role: 'MEMBER' }, request).isAllowed).toBe(true)
  })

  test('a cluster’s own extras are not forwarded, no matter who asks', () => {
    expect(authorize({ role: 'OWNER' }, info('POST', '/sandbox/v1/chaos')).isAllowed).toBe(false)
    expect(authorize({ role: 'OWNER' }, info('GET', '/metrics')).isAllowed).toBe(false)
  })

  test('a write of Secrets needs both rights', () => {
    expect(neededPermissions(info('POST', '/api/v1/namespaces/a/secrets'))).toEqual([
      'kubernetes.write',
      'kubernetes.secrets',
    ])
  })
})

test.each([
  ['GET', '/api/v1/pods', 'counted'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'counted'],
  ['GET', '/api/v1/secrets', 'secret'],
  ['POST', '/api/v1/namespaces/a/secrets', 'write'],
  ['PATCH', '/apis/apps/v1/namespaces/a/deployments/d/scale', 'write'],
  ['GET', '/api/v1/namespaces/a/pods/x/exec', 'exec'],
])('%s %s is recorded as %s', (method, url, expected) =>
  expect(auditClass({ info: info(method, url), isImpersonated: false })).toBe(expected),
)

test('a read in somebody else’s name is recorded as such, a write as a write', () => {
  const recorded = (method: string, url: string) =>
    auditClass({ info: info(method, url), isImpersonated: true })
  expect(recorded('GET', '/api/v1/pods')).toBe('impersonated')
  expect(recorded('DELETE', '/api/v1/namespaces/a/pods/x')).toBe('write')
})

test('watches and followed logs may last; a plain read may not', () => {
  const endless = (url: string) => isEndless(info('GET', url), new URL(url, 'http://x').searchParams)
  expect(endless('/api/v1/pods?watch=1')).toBe(true)
  expect(endless('/api/v1/namespaces/a/pods/x/log?follow=true')).toBe(true)
  expect(endless('/api/v1/namespaces/a/pods/x/log')).toBe(false)
  expect(endless('/api/v1/pods')).toBe(false)
  // As clients in Python spell it.
  expect(endless('/api/v1/pods?watch=True')).toBe(true)
  expect(endless('/api/v1/pods?watch=False')).toBe(false)
})
