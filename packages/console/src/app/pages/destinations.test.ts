// @vitest-environment node
import { serviceCatalog } from '@bey/contract'
import { expect, test } from 'vitest'
import { destinations } from './destinations.ts'

const services = serviceCatalog.flatMap((group) => group.services)

test('each launched service stands once, with all of its routes', () => {
  const labels = destinations(services, '').map(({ service }) => service.label)
  expect(labels.filter((label) => label === 'Kubernetes')).toHaveLength(1)
  expect(labels).not.toContain('Serverless')
})

test('the filter looks at services and routes, in any case', () => {
  expect(destinations(services, 'RUNS').flatMap(({ routes }) => routes.map((route) => route.path))).toEqual([
    '/workflows/runs',
  ])
  expect(destinations(services, 'secrets')[0]?.routes).toHaveLength(2)
  expect(destinations(services, 'no such place')).toEqual([])
})
