import type { HealthState } from '@bey/contract'
import { describe, expect, test } from 'vitest'
import { claimHealth } from './claim-health.ts'
import type { JobFacts } from './job-health.ts'
import { cronJobHealth, jobHealth } from './job-health.ts'
import { namespaceHealth } from './namespace-health.ts'
import { fine, never, verdict } from './verdict.ts'
import type { Condition, PodVerdict, ReplicaFacts } from './workload-health.ts'
import { replicaHealth } from './workload-health.ts'

const nowMs = Date.parse('2026-01-01T12:00:00Z')
const minute = 60_000
const hour = 60 * minute

const condition = (type: string, isTrue: boolean, reason = '', sinceMs = nowMs - 10 * minute): Condition => ({
  type,
  isTrue,
  reason,
  message: `${reason} message`,
  sinceMs,
})

const facts = (part: Partial<ReplicaFacts> = {}): ReplicaFacts => ({
  desired: 3,
  available: 3,
  upToDate: 3,
  isPaused: false,
  createdAtMs: nowMs - hour,
  isObserved: true,
  conditions: [],
  ...part,
})

let counter = 0
function podThat(
  state: HealthState,
  reason: string | null = null,
  part: Partial<PodVerdict> = {},
): PodVerdict {
  return {
    object: { kind: 'Pod', namespace: 'shop', name: `web-${(counter += 1)}` },
    verdict: state === 'healthy' ? fine : verdict(state, reason, 'why', nowMs - 5 * minute),
    isEnded: false,
    endedAtMs: null,
    ...part,
  }
}
const crash = () => podThat('failing', 'CrashLoopBackOff')
const good = () => podThat('healthy')

const workloads: [string, ReplicaFacts, PodVerdict[], HealthState, string | null, [number, number]][] = [
  ['has all its pods', facts(), [good(), good(), good()], 'healthy', null, [0, 3]],
  [
    'is scaled to none',
    facts({ desired: 0, available: 0, upToDate: 0 }),
    [],
    'healthy',
    'ScaledToZero',
    [0, 0],
  ],
  [
    'has no pod that works',
    facts({ available: 0 }),
    [crash(), crash(), crash()],
    'failing',
    'CrashLoopBackOff',
    [3, 3],
  ],
  [
    'has lost more than half',
    facts({ desired: 8, available: 2 }),
    [...Array.from({ length: 6 }, crash), good(), good()],
    'failing',
    'CrashLoopBackOff',
    [6, 8],
  ],
  [
    'has lost one of many',
    facts({ desired: 4, available: 3 }),
    [crash(), good(), good(), good()],
    'degraded',
    'CrashLoopBackOff',
    [1, 4],
  ],
  [
    'lacks room for the rest',
    facts({ available: 1 }),
    [podThat('failing', 'Unschedulable'), podThat('failing', 'Unschedulable'), good()],
    'degraded',
    'Unschedulable',
    [2, 3],
  ],
  [
    'lacks room for any',
    facts({ desired: 1, available: 0 }),
    [podThat('failing', 'Unschedulable')],
    'failing',
    'Unschedulable',
    [1, 1],
  ],
  [
    'has a pod that is not ready',
    facts({ available: 2 }),
    [podThat('degraded', 'NotReady'), good(), good()],
    'degraded',
    'NotReady',
    [1, 3],
  ],
  [
    'has only pods that are not ready',
    facts({ desired: 1, available: 0 }),
    [podThat('degraded', 'NotReady')],
    'failing',
    'NotReady',
    [1, 1],
  ],
  [
    'has pods on a lost node',
    facts({ desired: 2, available: 1 }),
    [podThat('unknown', 'NodeNotReady'), good()],
    'unknown',
    'NodeNotReady',
    [1, 2],
  ],
  [
    'is rolling out',
    facts({ available: 2, upToDate: 1 }),
    [good(), good(), podThat('starting', 'ContainerCreating')],
    'starting',
    'RollingOut',
    [1, 3],
  ],
  [
    'was changed a moment ago',
    facts({ isObserved: false }),
    [good(), good(), good()],
    'starting',
    'RollingOut',
    [0, 3],
  ],
  [
    'was paused in its rollout',
    facts({ upToDate: 1, isPaused: true }),
    [good(), good(), good()],
    'starting',
    'Paused',
    [0, 3],
  ],
  [
    'exceeded its deadline',
    facts({ available: 2, conditions: [condition('Progressing', false, 'ProgressDeadlineExceeded')] }),
    [good(), good()],
    'degraded',
    'ProgressDeadlineExceeded',
    [1, 3],
  ],
  [
    'exceeded its deadline while the pods of before serve',
    facts({ upToDate: 1, conditions: [condition('Progressing', false, 'ProgressDeadlineExceeded')] }),
    [good(), good(), good(), podThat('starting', 'NotReady')],
    'degraded',
    'ProgressDeadlineExceeded',
    [2, 3],
  ],
  [
    'exceeded its deadline on a node that does not report',
    facts({ upToDate: 1, conditions: [condition('Progressing', false, 'ProgressDeadlineExceeded')] }),
    [good(), good(), good(), podThat('unknown', 'NodeNotReady')],
    'degraded',
    'ProgressDeadlineExceeded',
    [2, 3],
  ],
  [
    'was changed after it exceeded its deadline',
    facts({
      upToDate: 1,
      isObserved: false,
      conditions: [condition('Progressing', false, 'ProgressDeadlineExceeded')],
    }),
    [good(), good(), good(), podThat('starting', 'NotReady')],
    'starting',
    'RollingOut',
    [0, 3],
  ],
  [
    'exceeded its deadline and serves nothing',
    facts({ available: 0, conditions: [condition('Progressing', false, 'ProgressDeadlineExceeded')] }),
    [],
    'failing',
    'ProgressDeadlineExceeded',
    [3, 3],
  ],
  [
    'may not create its pods',
    facts({ available: 0, conditions: [condition('ReplicaFailure', true, 'FailedCreate')] }),
    [],
    'failing',
    'FailedCreate',
    [3, 3],
  ],
  [
    'misses replicas since a moment',
    facts({ available: 2, conditions: [condition('Available', false, '', nowMs - 1000)] }),
    [good(), good()],
    'starting',
    'RollingOut',
    [1, 3],
  ],
  [
    'misses replicas for no known reason',
    facts({ available: 2, conditions: [condition('Available', false)] }),
    [good(), good()],
    'degraded',
    'MissingReplicas',
    [1, 3],
  ],
  [
    'had pods evicted a moment ago',
    facts(),
    [good(), good(), good(), podThat('failing', 'Evicted', { isEnded: true, endedAtMs: nowMs - minute })],
    'degraded',
    'Evicted',
    [1, 3],
  ],
  [
    'had pods evicted long ago',
    facts(),
    [good(), good(), good(), podThat('failing', 'Evicted', { isEnded: true, endedAtMs: nowMs - hour })],
    'healthy',
    null,
    [0, 3],
  ],
  [
    'keeps failed pods that were replaced',
    facts(),
    [good(), good(), good(), podThat('failing', 'Error', { isEnded: true })],
    'healthy',
    null,
    [0, 3],
  ],
]

describe('a workload that', () => {
  test.each(workloads)('%s', (_about, given, pods, state, reason, [count, total]) => {
    const found = replicaHealth(given, pods, nowMs)
    expect({ state: found.health.state, reason: found.health.reason }).toEqual({ state, reason })
    expect(found.affected).toEqual({ count, total })
  })
})

test('a workload names the pod at fault', () => {
  const bad = crash()
  expect(replicaHealth(facts({ available: 2 }), [good(), bad, good()], nowMs).health.object).toEqual(
    bad.object,
  )
})

const job = (part: Partial<JobFacts> = {}): JobFacts => ({
  completions: 1,
  active: 0,
  failed: 0,
  succeeded: 0,
  isSuspended: false,
  createdAtMs: nowMs - hour,
  conditions: [],
  ...part,
})

const jobs: [string, JobFacts, PodVerdict[], HealthState, string | null][] = [
  ['runs', job({ active: 1 }), [good()], 'healthy', null],
  ['completed', job({ conditions: [condition('Complete', true)] }), [], 'healthy', 'Completed'],
  ['is suspended', job({ isSuspended: true }), [], 'healthy', 'Suspended'],
  [
    'failed',
    job({ conditions: [condition('Failed', true, 'BackoffLimitExceeded')] }),
    [],
    'failing',
    'BackoffLimitExceeded',
  ],
  [
    'failed days ago',
    job({ conditions: [condition('Failed', true, 'DeadlineExceeded', nowMs - 48 * hour)] }),
    [],
    'degraded',
    'DeadlineExceeded',
  ],
  ['tries again', job({ active: 1, failed: 2 }), [good()], 'degraded', 'Retrying'],
  [
    'cannot pull its image',
    job({ active: 1 }),
    [podThat('failing', 'ImagePullBackOff')],
    'failing',
    'ImagePullBackOff',
  ],
  ['starts', job({ active: 1 }), [podThat('starting', 'ContainerCreating')], 'starting', 'ContainerCreating'],
]

describe('a job that', () => {
  test.each(jobs)('%s', (_about, given, pods, state, reason) => {
    const { health } = jobHealth(given, pods, nowMs)
    expect({ state: health.state, reason: health.reason }).toEqual({ state, reason })
  })
})

test('a cron job is judged by its newest job alone', () => {
  const failed = jobHealth(
    job({ conditions: [condition('Failed', true, 'BackoffLimitExceeded')] }),
    [],
    nowMs,
  )
  const done = jobHealth(job({ conditions: [condition('Complete', true)] }), [], nowMs)
  const of = (...found: [number, typeof failed][]) =>
    cronJobHealth(
      { isSuspended: false },
      found.map(([createdAtMs, each]) => ({ createdAtMs, verdict: each })),
    ).health.state
  expect(of()).toBe('healthy')
  expect(of([1, failed], [2, done])).toBe('healthy')
  expect(of([2, failed], [1, done])).toBe('failing')
  expect(cronJobHealth({ isSuspended: true }, []).health.reason).toBe('Suspended')
})

test.each([
  ['Bound', true, hour, 'healthy'],
  ['Pending', true, minute, 'starting'],
  ['Pending', true, hour, 'failing'],
  ['Pending', false, hour, 'starting'],
  ['Lost', true, hour, 'failing'],
] as const)('a volume claim that is %s, used %s, for %i ms, is %s', (phase, isUsed, ageMs, state) => {
  expect(claimHealth({ phase, createdAtMs: nowMs - ageMs }, { isUsed, nowMs }).health.state).toBe(state)
})

test.each([
  [0.5, 0.1, 'healthy', null],
  [0.92, 0.1, 'degraded', '92% of its volume is used'],
  [0.99, 0.1, 'failing', '99% of its volume is used: writes may fail'],
  [0.2, 0.95, 'degraded', '95% of its inodes are used'],
] as const)(
  'a bound claim with %d of its bytes and %d of its inodes used is %s',
  (bytes, inodes, state, detail) => {
    const volume = {
      usedBytes: bytes * 1000,
      capacityBytes: 1000,
      inodesUsed: inodes * 100,
      inodes: 100,
      nearlyFullSinceMs: nowMs - hour,
    }
    const claim = { phase: 'Bound', createdAtMs: nowMs - hour }
    const { health } = claimHealth(claim, { isUsed: true, volume, nowMs })
    expect({ state: health.state, detail: health.detail }).toEqual({ state, detail })
  },
)

test.each([
  ['Active', null, [fine], 'healthy'],
  ['Active', null, [fine, verdict('failing', 'X'), verdict('degraded', 'Y')], 'failing'],
  ['Terminating', nowMs - minute, [], 'starting'],
  ['Terminating', nowMs - hour, [], 'degraded'],
] as const)(
  'a namespace that is %s since %s is as its worst part: %#',
  (phase, deletedAtMs, inside, state) => {
    expect(namespaceHealth({ phase, deletedAtMs }, inside, nowMs).health.state).toBe(state)
  },
)

test('what only a change can alter says so', () => {
  expect(fine.changesAtMs).toBe(never)
})
