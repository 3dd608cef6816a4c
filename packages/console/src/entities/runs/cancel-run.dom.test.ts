import { expect, test } from 'vitest'
import { cancelReason } from './cancel-run.tsx'

test('a running run can be cancelled by a member, but not by a viewer, who is shown why', () => {
  expect(cancelReason({ status: 'running' }, 'MEMBER')).toBeUndefined()
  expect(cancelReason({ status: 'running' }, 'VIEWER')).toMatch(/^Needs the role MEMBER/)
})

test('a run that is over or being cancelled cannot be cancelled, no matter who asks', () => {
  expect(cancelReason({ status: 'timed_out' }, 'OWNER')).toBe('It has ended: timed out.')
  expect(cancelReason({ status: 'cancelling' }, 'OWNER')).toBe('It is already being cancelled.')
})
