// @vitest-environment node
import { linkOptions } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import type {} from './router.tsx'

// Link types vanish silently when a route is written inline: a wrong address must go on failing to compile.
test('a link to a route that does not exist does not compile', () => {
  const known = linkOptions({ to: '/kubernetes/clusters' })
  expect(known.to).toBe('/kubernetes/clusters')
  // @ts-expect-error -- no such route
  linkOptions({ to: '/no-such-page' })
  // @ts-expect-error -- the run's id is missing
  linkOptions({ to: '/workflows/$workflowId/runs/$runId', params: { workflowId: '1' } })
})
