import { expect, test } from 'vitest'
import type { JudgedService } from './service-health.ts'
import { endpointsByService, serviceHealth } from './service-health.ts'

const nowMs = Date.parse('2026-01-01T12:00:00Z')
const service = (network: JudgedService['network']): JudgedService => ({
  createdAt: '2026-01-01T11:00:00Z',
  network,
})
const web = service({ type: 'ClusterIP', selector: { app: 'web' } })

test('a service is failing where no pod behind it is ready, and says whether there is any', () => {
  expect(serviceHealth(web, { ready: 0, total: 0 }, nowMs)).toMatchObject({
    state: 'failing',
    reason: 'NoReadyEndpoints',
    detail: 'No pod is behind it.',
  })
  expect(serviceHealth(web, { ready: 0, total: 3 }, nowMs).detail).toBe('No pod behind it is ready: 0 of 3.')
  expect(serviceHealth(web, { ready: 1, total: 3 }, nowMs).state).toBe('healthy')
})

test('a new service has a minute, and one whose endpoints are unknown is not blamed', () => {
  const none = { ready: 0, total: 0 }
  expect(serviceHealth(web, none, nowMs - 59 * 60_000 - 1).state).toBe('starting')
  expect(serviceHealth(web, undefined, nowMs).state).toBe('healthy')
})

test('a service without a selector needs no pods: somebody else writes its addresses', () => {
  const manual = service({ type: 'ClusterIP' })
  const outside = service({ type: 'ExternalName' })
  for (const each of [manual, outside])
    expect(serviceHealth(each, { ready: 0, total: 0 }, nowMs).state).toBe('healthy')
})

test('a load balancer waits five minutes for its address, and fails after that', () => {
  const balancer = service({ type: 'LoadBalancer', selector: { app: 'web' } })
  const at = (minutes: number) =>
    serviceHealth(balancer, { ready: 1, total: 1 }, nowMs - 3_600_000 + minutes * 60_000)
  expect(at(4)).toMatchObject({ state: 'starting', reason: 'Pending' })
  expect(at(6)).toMatchObject({ state: 'failing', reason: 'Pending' })
})

test('endpoints of both families of addresses count once', () => {
  const slice = (addressType: string, ready: number) => ({
    namespace: 'shop',
    service: 'web',
    addressType,
    ready,
    total: 1,
  })
  const found = endpointsByService([slice('IPv4', 1), slice('IPv4', 0), slice('IPv6', 1)])
  expect(found).toEqual(new Map([['shop/web', { ready: 1, total: 2 }]]))
})
