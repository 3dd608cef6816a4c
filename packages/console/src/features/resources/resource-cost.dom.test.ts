import { expect, test } from 'vitest'
import { costFilter } from './resource-cost.tsx'
import { activitySubject } from './resource-activity.ts'

test.each([
  ['cluster:4', { cluster: '4' }],
  ['namespace:4..shop', { cluster: '4', namespace: 'shop' }],
  ['deployment:4.shop.web', { cluster: '4', workload: 'shop/Deployment/web' }],
  ['database:0199-a', { resource: '0199-a' }],
  ['pod:4.shop.web-1', undefined],
  ['member:7', undefined],
])('the cost of %s is asked of the ledger as %j', (id, filter) => expect(costFilter(id)).toEqual(filter))

test.each([
  ['cluster:4', { targetType: 'cluster', targetId: '4' }],
  ['api-key:0199-a', { targetType: 'apiKey', targetId: '0199-a' }],
  ['deployment:4.shop.web', { targetType: 'cluster', targetId: '4', object: 'deployments/shop/web' }],
  ['ingress:4.shop.web', { targetType: 'cluster', targetId: '4', object: 'ingresses/shop/web' }],
  [
    'networkpolicy:4.shop.deny',
    { targetType: 'cluster', targetId: '4', object: 'networkpolicies/shop/deny' },
  ],
  ['node:4..workers-1', { targetType: 'cluster', targetId: '4', object: 'nodes//workers-1' }],
])('the activity of %s is that of %j in the audit log', (id, subject) =>
  expect(activitySubject(id)).toEqual(subject),
)
