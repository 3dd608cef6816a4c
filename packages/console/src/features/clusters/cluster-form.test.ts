import type { ClusterProvider } from '@bey/contract'
import { expect, test } from 'vitest'
import type { ClusterDraft } from './cluster-form.ts'
import {
  draftErrors,
  isChanged,
  newCluster,
  newDraft,
  titleError,
  totals,
  withGroup,
} from './cluster-form.ts'

const gibibyte = 1024 ** 3
const provider: ClusterProvider = {
  id: 'sandbox',
  label: 'Sandbox',
  description: '',
  regions: ['local', 'elsewhere'],
  versions: ['1.33.1'],
  defaultNodeGroups: [{ name: 'workers', count: 3, cpuCores: 4, memoryBytes: 16 * gibibyte }],
  maxNodes: 10,
  capacity: null,
}
const draft = (part: Partial<ClusterDraft> = {}): ClusterDraft => ({
  ...newDraft(provider),
  title: 'prod-eu-1',
  ...part,
})
const group = (part: object) => ({
  key: 0,
  name: 'workers',
  count: '1',
  cpuCores: '4',
  memoryGib: '16',
  ...part,
})

test('a draft begins with what the provider suggests and lacks only a title', () => {
  expect(Object.keys(draftErrors(newDraft(provider), provider))).toEqual(['title'])
  expect(draftErrors(draft(), provider)).toEqual({})
})

test.each(['Prod', '-prod', 'prod-', 'prod eu', 'prod_eu', 'a'.repeat(64), 'ü'])(
  'the title %j is refused',
  (title) => {
    expect(titleError(title)).toMatch(/^Use 1 to 63/)
  },
)

test.each(['0', '101', '1.5', '-1', '', 'three', '1e3', '9'.repeat(400)])('%j nodes are refused', (count) => {
  const errors = draftErrors(draft({ groups: [group({ count })] }), provider)
  expect(errors['nodeGroups.0.count']).toBe('A whole number from 1 to 100.')
})

test('two groups of one name are refused at the second', () => {
  const groups = [group({}), group({ key: 1 })]
  expect(draftErrors(draft({ groups }), provider)).toEqual({
    'nodeGroups.1.name': 'Another group has this name.',
  })
})

test('more nodes than the provider takes, and no group at all, are refused', () => {
  const tooMany = draft({ groups: [group({ count: '11' })] })
  expect(draftErrors(tooMany, provider)['nodeGroups']).toBe('Sandbox takes at most 10 nodes; these are 11.')
  expect(draftErrors(draft({ groups: [] }), provider)['nodeGroups']).toMatch(/at least one/)
})

test('totals add up, and what cannot be read counts nothing', () => {
  const groups = [group({ count: '2' }), group({ key: 1, count: 'x' })]
  expect(totals(draft({ groups }))).toEqual({ nodes: 2, cpuCores: 8, memoryBytes: 32 * gibibyte })
})

test('a further group has a free name and a key of its own, also after one was removed', () => {
  const two = withGroup(draft())
  const again = withGroup({ ...two, groups: two.groups.slice(1) })
  expect(again.groups.map((each) => each.name)).toEqual(['group-2', 'group-3'])
  expect(new Set(again.groups.map((each) => each.key)).size).toBe(2)
})

test('what is sent says the same as the form', () => {
  const body = newCluster(draft())
  expect(body.nodeGroups?.[0]).toEqual({ name: 'workers', count: 3, cpuCores: 4, memoryBytes: 16 * gibibyte })
})

test('an untouched draft is left without a question', () => {
  expect(isChanged(newDraft(provider), provider)).toBe(false)
  expect(isChanged(draft(), provider)).toBe(true)
  expect(isChanged({ ...newDraft(provider), region: 'elsewhere' }, provider)).toBe(true)
})
