import { expect, test } from 'vitest'
import { activitySubject } from './resource-activity.ts'

test('objects of clusters are named as the API of Kubernetes names them, and a certificate by its Secret', () => {
  const named = (id: string) => activitySubject(id).object
  expect(named('deployment:3.shop.web')).toBe('deployments/shop/web')
  expect(named('ingress:3.shop.web')).toBe('ingresses/shop/web')
  expect(named('networkpolicy:3.shop.all')).toBe('networkpolicies/shop/all')
  expect(named('certificate:3.shop.tls')).toBe('secrets/shop/tls')
  expect(named('k8s-secret:3.shop.tls')).toBe('secrets/shop/tls')
  expect(named('volumeclaim:3.shop.data')).toBe('persistentvolumeclaims/shop/data')
})

test('things of Bey are named by their type', () => {
  expect(activitySubject('api-key:x')).toEqual({ targetType: 'apiKey', targetId: 'x' })
})
