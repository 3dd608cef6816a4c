import { expect, test } from 'vitest'
import { quotaMeters } from './quota-text.ts'

test('what a quota limits is said in human units, the fullest first', () => {
  const meters = quotaMeters({
    spec: { hard: { pods: '20' } },
    status: {
      hard: { pods: '20', 'requests.cpu': '4', 'limits.memory': '8Gi', 'count/jobs.batch': '0' },
      used: { pods: '18', 'requests.cpu': '1500m', 'limits.memory': '2Gi', 'count/jobs.batch': '0' },
    },
  })
  expect(
    meters.map(({ label, used, hard, format }) => `${label}: ${format(used)} of ${format(hard)}`),
  ).toEqual([
    'Pods: 18 of 20',
    'CPU requests: 1.5 cores of 4 cores',
    'Memory limits: 2 GiB of 8 GiB',
    'count/jobs.batch: 0 of 0',
  ])
})

test('before the cluster has counted, what is limited is known and nothing is used', () => {
  expect(quotaMeters({ spec: { hard: { pods: '5' } } })).toMatchObject([{ name: 'pods', used: 0, hard: 5 }])
})
