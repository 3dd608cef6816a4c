import { expect, test } from 'vitest'
import { fakeClock } from '../../../testing/clock.ts'
import type { RecordedObject } from './object-changes.ts'
import { versionsOf } from './object-changes.ts'
import type { RecordedResource } from './recorded-resources.ts'
import type { WatchedRow } from './row-sources.ts'

const clock = fakeClock(new Date('2026-01-01T12:00:09.500Z'))
const resource = { name: 'deployments.apps', kind: 'Deployment' } as RecordedResource

/** When a version is said to be of, whose object was written at `writtenAt` and whose version before is of `before`. */
function timeOf(writtenAt: string | null, before: string): string | undefined {
  const row = {
    uid: 'u',
    namespace: 'shop',
    name: 'web',
    version: '2',
    createdAt: null,
  } as unknown as WatchedRow
  const whole = {
    metadata: {
      name: 'web',
      ...(writtenAt !== null && { managedFields: [{ manager: 'k', time: writtenAt }] }),
    },
    spec: { replicas: 2 },
  }
  const known: RecordedObject = { uid: 'u', hash: 'of before', version: '1', at: new Date(before) }
  const { versions } = versionsOf(
    { id: 1, organizationId: 1 } as never,
    resource,
    new Map([['shop/web', known]]),
    {
      changed: [['shop/web', row]],
      objects: new Map([['shop/web', whole]]),
      gone: [],
      isFirstLook: false,
      clock,
    },
  )
  return versions[0]?.at.toISOString()
}

test('a version is of the second that its object names, however late it was seen', () => {
  expect(timeOf('2026-01-01T12:00:02Z', '2026-01-01T12:00:01.000Z')).toBe('2026-01-01T12:00:02.000Z')
  // Created and changed within one second: what the change broke began after it.
  expect(timeOf('2026-01-01T12:00:02Z', '2026-01-01T12:00:02.000Z')).toBe('2026-01-01T12:00:02.001Z')
  expect(timeOf('2026-01-01T12:00:02Z', '2026-01-01T12:00:02.001Z')).toBe('2026-01-01T12:00:02.002Z')
})

test('a version is of the moment when it was seen where its object names none, or one of before', () => {
  const seen = '2026-01-01T12:00:09.500Z'
  expect(timeOf(null, '2026-01-01T12:00:02.000Z')).toBe(seen)
  expect(timeOf('2026-01-01T12:00:01Z', '2026-01-01T12:00:03.000Z')).toBe(seen)
  // A clock that is ahead says nothing.
  expect(timeOf('2026-01-01T12:01:00Z', '2026-01-01T12:00:02.000Z')).toBe(seen)
})
