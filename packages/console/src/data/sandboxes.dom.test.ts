import type { Fault } from '@bey/contract'
import { expect, test } from 'vitest'
import { withSwitched } from './sandboxes.ts'

const fault = (id: string, since: string | null): Fault => ({ id, title: id, about: '', since })
const now = '2026-01-01T12:00:00.000Z'

test('of two replies that cross, the later to arrive does not take back what the other switched', () => {
  const known = { faults: [fault('slow', null), fault('full', null)] }
  const ofSlow = { faults: [fault('slow', now), fault('full', now)] }
  // Read before the other fault was applied, and longer on its way.
  const ofFull = { faults: [fault('slow', null), fault('full', now)] }
  const after = withSwitched(withSwitched(known, ofSlow, 'slow'), ofFull, 'full')
  expect(after.faults.map(({ since }) => since)).toEqual([now, now])
})

test('before anything is known the reply is', () => {
  const reply = { faults: [fault('slow', now)] }
  expect(withSwitched(undefined, reply, 'slow')).toBe(reply)
})
