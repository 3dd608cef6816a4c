import { expect, test } from 'vitest'
import { currentStep, type GuideStepId, stepsAnsweredBy } from './guide-steps.ts'

const search = '/kubernetes/clusters/7/objects/deployments.apps/catalog/search'

test.each<[string, string, string | undefined, GuideStepId[]]>([
  ['the dashboard', '/', undefined, []],
  ['a workload that waits', search.replace('/search', '/suggest'), undefined, ['what']],
  ['the workload that crashes', search, undefined, ['what', 'why']],
  ['its log', search, 'logs', ['what', 'log']],
  [
    'the log of one of its pods',
    '/kubernetes/clusters/7/objects/pods/catalog/search-6d4-x2',
    'logs',
    ['what', 'log'],
  ],
  ['its history', search, 'history', ['what', 'change']],
  ['what changed in the cluster', '/kubernetes/clusters/7/changes', undefined, ['change']],
  ['the same workload of another cluster', search.replace('/7/', '/8/'), 'logs', []],
])('%s answers what it shows', (_where, path, tab, answered) => {
  expect(stepsAnsweredBy({ clusterId: 7, path, tab })).toEqual(answered)
})

test('the guide goes on after the last step that was answered, and ends after the rollback', () => {
  expect(currentStep([])).toMatchObject({ number: 1, step: { id: 'what' } })
  expect(currentStep(['what', 'log'])).toMatchObject({ number: 4, step: { id: 'change' } })
  expect(currentStep(['rollback'])).toBeUndefined()
})
