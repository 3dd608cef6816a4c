import type { AttentionItem, HealthState } from '@bey/contract'
import { healthy } from '@bey/contract'
import { expect, test } from 'vitest'
import { attentionList } from './attention.ts'

const item = (
  kind: string,
  name: string,
  state: HealthState,
  reason: string,
  since: string,
): AttentionItem => ({
  key: name,
  kind,
  name,
  namespace: null,
  cluster: { id: 1, title: 'prod' },
  health: { ...healthy, state, reason, since },
  affected: null,
  href: '/',
  action: 'open',
})

test('a node that was just lost and a cluster that does not answer come before what has failed for long', () => {
  const { items, counts } = attentionList([
    item('Deployment', 'old', 'failing', 'CrashLoopBackOff', '2026-01-01T00:00:00.000Z'),
    item('Node', 'cordoned', 'degraded', 'Cordoned', '2026-01-01T00:00:00.000Z'),
    item('Deployment', 'older', 'failing', 'CrashLoopBackOff', '2025-01-01T00:00:00.000Z'),
    item('Cluster', 'away', 'unknown', 'Unreachable', '2026-01-02T00:00:00.000Z'),
    item('Node', 'lost', 'failing', 'NotReady', '2026-01-03T00:00:00.000Z'),
    item('Cluster', 'closed', 'unknown', 'NotReadable', '2026-01-02T00:00:00.000Z'),
  ])
  expect(items.map(({ name }) => name)).toEqual(['lost', 'away', 'older', 'old', 'cordoned', 'closed'])
  expect(counts).toEqual({ failing: 3, degraded: 1, unknown: 2 })
})
