import type { ResourceInfo } from '@bey/contract'
import { expect, test } from 'vitest'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { discover } from './discovery.ts'
import { createFetchObject } from './fetch-object.ts'

const connection = {} as ClusterConnection

function answering(answers: Record<string, unknown>): KubeClient {
  return {
    get: async (_connection: ClusterConnection, path: string) => answers[path],
  } as unknown as KubeClient
}

test('what lists no resources is not taken for a cluster that serves none', async () => {
  const nonsense = { kind: 'Nonsense', items: [null] }
  for (const answers of [
    { '/api': nonsense, '/apis': nonsense },
    { '/api': null, '/apis': null },
    { '/api': {}, '/apis': { groups: [] }, '/api/v1': nonsense },
  ])
    await expect(discover(answering(answers), connection)).rejects.toThrow(
      'its answer is no list of Kubernetes resources',
    )
})

test('a group that answers nonsense is named, and the rest is served', async () => {
  const found = await discover(
    answering({
      '/api': {},
      '/apis': { groups: [{ name: 'odd.example.com', versions: [{ version: 'v1' }] }] },
      '/api/v1': { resources: [{ name: 'pods', kind: 'Pod', namespaced: true, verbs: ['list'] }] },
      '/apis/odd.example.com/v1': { kind: 'Nonsense' },
    }),
    connection,
  )
  expect(found.resources.map(({ resource }) => resource)).toEqual(['pods'])
  expect(found.unavailableGroups).toEqual(['odd.example.com'])
})

test.each([{ kind: 'Nonsense' }, null, [], { metadata: null }])('%j is no object', async (answer) => {
  const fetchObject = createFetchObject({
    client: answering({ '/api/v1/namespaces/a/configmaps/b': answer }),
    connect: async () => connection,
  })
  const info = { plural: 'configmaps', group: '', version: 'v1', kind: 'ConfigMap', isNamespaced: true }
  await expect(
    fetchObject({ id: 1, organizationId: 1, title: 'prod' } as never, info as ResourceInfo, {
      resource: 'configmaps',
      namespace: 'a',
      name: 'b',
    }),
  ).rejects.toThrow('The cluster "prod" does not answer: its answer is no Kubernetes object.')
})
