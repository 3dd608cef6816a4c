import { expect, test } from 'vitest'
import { configRules } from './rules/images.ts'
import type { Situation } from './situation.ts'

/** What is offered where a container waits for a key, of what is immutable as given. */
function remediesWith(immutable: readonly string[]) {
  const message = `couldn't find key url in ConfigMap shop/settings`
  // The rule reads nothing else.
  const situation = {
    subject: { kind: 'Deployment', resource: 'deployments.apps', namespace: 'shop', name: 'web', object: {} },
    pod: { metadata: { name: 'web-1', namespace: 'shop' } },
    container: {
      spec: { name: 'main' },
      status: { name: 'main', state: { waiting: { reason: 'CreateContainerConfigError', message } } },
    },
    workload: null,
    references: { count: 1, areAllRead: true, immutable },
  } as unknown as Situation
  return configRules.find(({ id }) => id === 'missing-key')?.find(situation)?.remedies ?? []
}

test('a key that a config map lacks is added to it', () => {
  expect(remediesWith(['Secret/settings']).map(({ action }) => action?.id)).toEqual(['edit-yaml'])
})

test('a config map that is immutable is not edited: another one takes its place', () => {
  const [create, ...others] = remediesWith(['ConfigMap/settings'])
  expect(create).toMatchObject({
    text: expect.stringContaining('The config map is immutable'),
    action: { id: 'create', object: { kind: 'ConfigMap', namespace: 'shop', name: 'settings-2' } },
    command: expect.stringContaining('kubectl create configmap settings-2 -n shop'),
  })
  // What is edited is the workload that names it.
  expect(others).toHaveLength(1)
  expect(others[0]?.action?.object?.kind).not.toBe('ConfigMap')
})
