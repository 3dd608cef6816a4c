import { expect, test } from 'vitest'
import { reachHref } from './reach-address.ts'

const at = (kind: string) => reachHref(7, { kind, namespace: 'shop', name: 'web' })

test('whatever has an address leads to who reaches it, and nothing else does', () => {
  const to = (end: string) => `/networking/reachability?cluster=7&to=${encodeURIComponent(end)}`
  expect(at('Service')).toBe(to('service:shop/web'))
  expect(at('Pod')).toBe(to('pod:shop/web'))
  expect(at('Deployment')).toBe(to('workload:shop/Deployment/web'))
  expect(at('Namespace')).toBe(to('namespace:web'))
  expect(at('ConfigMap')).toBeUndefined()
})
