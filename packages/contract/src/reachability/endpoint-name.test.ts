import { expect, test } from 'vitest'
import { endpointName, parseEndpointName } from './endpoint-name.ts'

test.each([
  'pod:shop/web-1',
  'workload:shop/web',
  'workload:shop/Deployment/web',
  'namespace:shop',
  'service:shop/web',
  'ingress:shop/web',
  'address:10.0.0.0/8',
  'address:2001:db8::1',
  'node:worker-1',
  'database:7',
])('%s is read as it is written', (text) => {
  const endpoint = parseEndpointName(text)
  expect(typeof endpoint === 'string' ? endpoint : endpointName(endpoint)).toBe(text)
})

test.each(['', 'shop/web', 'pod:web', 'pod:/web', 'service:a/b/c', 'node:a/b', 'planet:earth', 'pod:'])(
  '"%s" is refused with a sentence',
  (text) => {
    expect(parseEndpointName(text)).toMatch(/names no end of a flow\. Name it as/)
  },
)
