import { registerHooks } from 'node:module'
import { expect, test } from 'vitest'
import { testSandbox } from '../testing/test-sandbox.ts'

test('the expression library is loaded with the first policy, not at start', async () => {
  const loaded: string[] = []
  const hooks = registerHooks({
    load(url, context, next) {
      if (url.includes('cel-js')) loaded.push(url)
      return next(url, context)
    },
  })
  const sandbox = await testSandbox()
  try {
    expect(loaded).toEqual([])
    const policy = {
      metadata: { name: 'few' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
          ],
        },
        validations: [{ expression: 'object.spec.replicas <= 5' }],
      },
    }
    const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
    expect((await sandbox.call('POST', path, policy)).code).toBe(201)
    expect(loaded).not.toEqual([])
  } finally {
    hooks.deregister()
    await sandbox.remove()
  }
})
