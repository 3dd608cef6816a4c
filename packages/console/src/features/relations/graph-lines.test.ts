import { expect, test } from 'vitest'
import type { RelationGraph } from '../../data/relations.ts'
import { linesOf } from './graph-lines.ts'

const edge = (from: string, verb: RelationGraph['edges'][number]['verb'], to: string, count = 1) => ({
  from,
  to,
  verb,
  count,
})

test('what is in a cluster or network is drawn as a line, what is in a namespace or was created by a member is not', () => {
  const lines = linesOf([
    edge('security-group', 'belongs_to', 'network', 2),
    edge('namespace', 'belongs_to', 'cluster', 5),
    edge('pod', 'belongs_to', 'namespace'),
    edge('secret', 'created_by', 'member'),
    edge('security-group', 'allows', 'security-group'),
  ])
  expect(lines).toEqual([
    { from: 'security-group', to: 'network', label: 'is in 2' },
    { from: 'namespace', to: 'cluster', label: 'is in 5' },
  ])
})

test('two kinds have one line, named after the first of their relations', () => {
  const lines = linesOf([edge('pod', 'mounts', 'k8s-secret', 9), edge('pod', 'reads_secret', 'k8s-secret')])
  expect(lines.map(({ label }) => label)).toEqual(['mounts 9'])
})
