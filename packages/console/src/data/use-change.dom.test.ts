import type { Endpoint, EndpointName } from '@bey/contract'
import { routes } from '@bey/contract'
import { expect, test } from 'vitest'
import { outdatedBy } from './use-change.ts'

test('a change makes the list of its noun and all below it old, or what its contract names', () => {
  expect(outdatedBy('webhooks.update')).toEqual(['/api/webhooks'])
  for (const [name, { outdates }] of Object.entries<Pick<Endpoint, 'outdates'>>(routes)) {
    // The keys are the names of endpoints.
    if (outdates) expect(outdatedBy(name as EndpointName), name).toEqual(outdates)
  }
})

test('an endpoint of a noun without a list makes nothing old', () => {
  expect(outdatedBy('auth.rename')).toEqual([])
})
