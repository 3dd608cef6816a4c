import type { HealthState } from '@bey/contract'
import { describe, expect, test } from 'vitest'
import { nodeHealth } from './node-health.ts'
import type { Condition } from './workload-health.ts'

const nowMs = Date.parse('2026-01-01T12:00:00Z')
const minute = 60_000
const hour = 60 * minute

const condition = (type: string, isTrue: boolean, reason = ''): Condition => ({
  type,
  isTrue,
  reason,
  message: `${reason} message`,
  sinceMs: nowMs - 10 * minute,
})

const nodes: [string, Condition[], boolean, number, HealthState, string | null][] = [
  ['is ready', [condition('Ready', true)], true, hour, 'healthy', null],
  ['is not ready', [condition('Ready', false, 'KubeletNotReady')], true, hour, 'failing', 'NotReady'],
  ['stopped reporting', [condition('Ready', false, 'NodeStatusUnknown')], true, hour, 'failing', 'NotReady'],
  [
    'stopped reporting soon after it had joined',
    [condition('Ready', false, 'NodeStatusUnknown')],
    true,
    minute,
    'failing',
    'NotReady',
  ],
  ['is joining', [condition('Ready', false)], true, minute, 'starting', 'NotReady'],
  ['says nothing', [], true, hour, 'failing', 'NotReady'],
  [
    'is short of memory',
    [condition('Ready', true), condition('MemoryPressure', true)],
    true,
    hour,
    'degraded',
    'MemoryPressure',
  ],
  [
    'is short of disk',
    [condition('Ready', true), condition('DiskPressure', true)],
    true,
    hour,
    'degraded',
    'DiskPressure',
  ],
  [
    'is short of process ids',
    [condition('Ready', true), condition('PIDPressure', true)],
    true,
    hour,
    'degraded',
    'PIDPressure',
  ],
  [
    'has no network',
    [condition('Ready', true), condition('NetworkUnavailable', true)],
    true,
    hour,
    'degraded',
    'NetworkUnavailable',
  ],
  ['is cordoned', [condition('Ready', true)], false, hour, 'degraded', 'Cordoned'],
  ['is cordoned and not ready', [condition('Ready', false)], false, hour, 'failing', 'NotReady'],
]

describe('a node that', () => {
  test.each(nodes)('%s', (_about, conditions, isSchedulable, ageMs, state, reason) => {
    const { health } = nodeHealth({ conditions, isSchedulable, createdAtMs: nowMs - ageMs }, nowMs)
    expect({ state: health.state, reason: health.reason }).toEqual({ state, reason })
  })
})
