import type { SecretUse } from '@bey/contract'
import { expect, test } from 'vitest'
import { restartedPods, rotationText } from './rotation-text.ts'

const usedBy = (type: SecretUse['type'], part: Partial<SecretUse> = {}): SecretUse => ({
  type,
  id: `${type} ${part.name ?? ''}`,
  name: type,
  detail: '',
  pods: null,
  isStuck: false,
  lastUsedAt: null,
  lastVersion: 1,
  onRotation: 'follows',
  ...part,
})
const clusters = [usedBy('cluster', { name: 'a' }), usedBy('cluster', { name: 'b' })]
const web = usedBy('workload', { name: 'web', pods: 4, onRotation: 'breaks' })
const api = usedBy('workload', { name: 'api', pods: 2, onRotation: 'restarts' })

test('what a rotation does is counted: what follows, how many pods restart, what breaks', () => {
  expect(rotationText([...clusters, web, api], true)).toBe(
    '2 clusters follow, 6 pods restart, nothing breaks.',
  )
  // Without a run, what reads its environment keeps the old value.
  expect(rotationText([...clusters, web, api], false)).toBe('2 clusters follow, 2 pods restart, 1 breaks.')
  expect(rotationText([usedBy('workflow')], false)).toBe('1 thing follows, nothing breaks.')
  expect(rotationText([], true)).toBe('Nothing is known to use it.')
})

test('a workload whose copy is not written breaks, whether or not a run restarts it', () => {
  const stuck = { ...web, isStuck: true }
  expect(restartedPods([stuck, api], true)).toBe(2)
  expect(rotationText([clusters[0] ?? stuck, stuck], true)).toBe('1 cluster follows, 1 breaks.')
})
