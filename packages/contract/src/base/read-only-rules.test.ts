import { expect, test } from 'vitest'
import { api, type EndpointName } from '../api.ts'
import type { Endpoint } from './endpoint.ts'
import { isServedReadOnly } from './read-only-rules.ts'

test('every read is served while Bey is read-only, and nothing that stores, starts or ends something', () => {
  const served = (Object.entries(api) as [EndpointName, Endpoint][]).filter(([name, endpoint]) =>
    isServedReadOnly(name, endpoint),
  )
  const names = new Set(served.map(([name]) => name))
  const reads = (Object.entries(api) as [EndpointName, Endpoint][]).filter(
    ([, { method, hasEffect }]) => method === 'GET' && !hasEffect,
  )
  for (const [name] of reads) expect(names).toContain(name)
  const acting = served.filter(([, { method }]) => method !== 'GET').map(([name]) => name)
  for (const name of acting)
    expect(name).toMatch(
      /^(auth|deviceLogin|demo)\.|\.(end(Session|Token|OtherSessions)|plan|preview|test|read|whatIf|validate|evaluate|estimate|inspect|log)$|ByForm$|^mcp\.|^instance\.setReadOnly$/,
    )
  for (const name of [
    'auth.signup',
    'auth.changePassword',
    'clusters.kubeconfig',
    'workflows.execute',
    'databases.query',
  ] as const)
    expect(names).not.toContain(name)
})
