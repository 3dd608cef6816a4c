import { expect, test } from 'vitest'
import { forwardCommand, proxyPath } from './port-lines.ts'

const web = { clusterTitle: 'prod', resource: 'services', namespace: 'a', name: 'web' } as const

test('a port has a line for kubectl and a path through the API server', () => {
  expect(forwardCommand(web, { name: 'http', port: 80, protocol: 'TCP' })).toBe(
    'kubectl --context bey-prod port-forward -n a svc/web 8080:80',
  )
  expect(
    forwardCommand({ ...web, clusterTitle: "Ada's" }, { name: '', port: 80, protocol: 'TCP' }),
  ).toContain(`--context 'bey-Ada'\\''s' `)
  expect(forwardCommand({ ...web, resource: 'pods' }, { name: '', port: 9090, protocol: 'TCP' })).toBe(
    'kubectl --context bey-prod port-forward -n a pod/web 9090:9090',
  )
  expect(proxyPath(web, { name: '', port: 80, protocol: 'TCP' })).toBe(
    '/api/v1/namespaces/a/services/http:web:80/proxy/',
  )
  expect(proxyPath(web, { name: '', port: 443, protocol: 'TCP' })).toContain('/https:web:443/')
})
