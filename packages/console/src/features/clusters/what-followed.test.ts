import type { AttentionItem } from '@bey/contract'
import { expect, test } from 'vitest'
import { followersOf, restartsAround } from './what-followed.ts'

const item = (
  name: string,
  since: string | null,
  state: 'failing' | 'degraded' = 'failing',
): AttentionItem => ({
  key: name,
  kind: 'Deployment',
  name,
  namespace: 'shop',
  cluster: { id: 1, title: 'prod' },
  health: { state, reason: 'CrashLoopBackOff', detail: null, since, object: null },
  affected: null,
  href: `/${name}`,
  action: 'explain',
})
const changedAt = '2026-01-01T12:00:00.000Z'

test('what began to fail, and alerts that fired, within ten minutes after a change followed it', () => {
  const followers = followersOf(
    changedAt,
    [
      item('late', '2026-01-01T12:10:01Z'),
      item('slow', '2026-01-01T12:04:00Z', 'degraded'),
      item('web', '2026-01-01T12:00:38Z'),
      item('before', '2026-01-01T11:59:59Z'),
      item('unknown', null),
    ],
    [{ id: 'a', name: 'Too many restarts', since: '2026-01-01T12:02:30Z' }],
  )
  expect(followers.map(({ name, what, afterText }) => `${name} ${what}, ${afterText}`)).toEqual([
    'web began to fail: CrashLoopBackOff, 38\u00a0s later',
    'Too many restarts alert fired, 2\u00a0min later',
    'slow became degraded: CrashLoopBackOff, 4\u00a0min later',
  ])
})

test('what failed in the second of the change may have followed it, for Kubernetes tells whole seconds', () => {
  const followers = followersOf('2026-01-01T12:00:00.001Z', [item('web', '2026-01-01T12:00:00Z')], [])
  expect(followers).toMatchObject([{ name: 'web', afterText: '0\u00a0s later' }])
})

test('restarts are counted before and after a change, and not known where nothing was measured after it', () => {
  const fromMs = Date.parse(changedAt) - 2 * 60_000
  const times = [0, 1, 2, 3].map((minute) => fromMs + minute * 60_000)
  expect(restartsAround(changedAt, [1, 0, 6, 6], times, 60_000)).toEqual({ before: 1, after: 12 })
  expect(restartsAround(changedAt, [1, 0, null, null], times, 60_000)).toBeUndefined()
  expect(restartsAround(changedAt, undefined, times, 60_000)).toBeUndefined()
})
