import { expect, test } from 'vitest'
import { newPolicy } from '../backups/policy-draft.ts'
import { chosenTarget, clusterPolicyBody, clusterPolicyProblems } from './cluster-policy.ts'

const here = { id: 'here', name: 'Here', endpoint: 'http://127.0.0.1:9000' }
const frankfurt = { id: 'frankfurt', name: 'Frankfurt', endpoint: 'https://s3.example.com' }

test('a new database on a cluster is backed up to the first target that pods reach, unless somebody chooses', () => {
  expect(chosenTarget(undefined, [here, frankfurt], undefined)).toBe('frankfurt')
  expect(chosenTarget(undefined, [here], undefined)).toBeNull()
  expect(chosenTarget(null, [frankfurt], undefined)).toBeNull()
  expect(chosenTarget('frankfurt', [frankfurt], 'Your role may not.')).toBeNull()
})

test('without a target no policy is sent and nothing is wrong with it; with one the changes are always kept', () => {
  const draft = { ...newPolicy, days: '0', pitr: false }
  expect(clusterPolicyBody(draft, null)).toBeUndefined()
  expect(clusterPolicyProblems(draft, null, [here])).toEqual({})
  expect(clusterPolicyBody(draft, 'frankfurt')).toMatchObject({ targetId: 'frankfurt', pitr: true })
  expect(Object.keys(clusterPolicyProblems(draft, 'here', [here])).toSorted()).toEqual([
    'backups.retentionDays',
    'backups.targetId',
  ])
})
