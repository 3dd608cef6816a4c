import { expect, test } from 'vitest'
import { podEntry } from '../watch/entries.ts'
import { replicaEntry } from '../watch/workload-entries.ts'
import { assess, countStates, podsInUse } from './assess.ts'
import type { HealthTables } from './tables.ts'

const nowMs = Date.parse('2026-01-01T12:00:00Z')
const minute = 60_000
const ago = (ms: number) => new Date(nowMs - ms).toISOString()

const ready = { type: 'Ready', status: 'True', lastTransitionTime: ago(60 * minute) }
const owner = { kind: 'StatefulSet', name: 'web', uid: 'web', controller: true }

/** A pod of the stateful set `web`. */
function pod(name: string, status: object) {
  return podEntry({
    metadata: { name, namespace: 'shop', uid: name, ownerReferences: [owner] },
    spec: { nodeName: 'n1' },
    status,
  })
}

/** What a kubelet reports of a pod that it turned away, or that it evicted: no conditions and no containers. */
const evicted = (startedMs: number) =>
  pod('web-evicted', {
    phase: 'Failed',
    reason: 'Evicted',
    message: 'The node was low on resource: memory.',
    startTime: ago(startedMs),
  })

function tablesWith(...pods: ReturnType<typeof pod>[]): HealthTables {
  const web = replicaEntry({
    metadata: { name: 'web', namespace: 'shop', uid: 'web', generation: 1 },
    spec: { replicas: 1 },
    status: {
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      updatedReplicas: 1,
      observedGeneration: 1,
    },
  })
  const none = { nodes: [], namespaces: [], deployments: [], daemonsets: [], replicasets: [], jobs: [] }
  return { ...none, cronjobs: [], claims: [], pods, statefulsets: [web] }
}

const running = () =>
  pod('web-0', {
    phase: 'Running',
    startTime: ago(60 * minute),
    conditions: [ready],
    containerStatuses: [{ name: 'web', ready: true, state: { running: { startedAt: ago(60 * minute) } } }],
  })

test('an eviction without any time but its start counts from there, and is history after a while', () => {
  const workload = (startedMs: number) =>
    assess(tablesWith(running(), evicted(startedMs)), nowMs).workloads[0]
  expect(workload(minute)?.verdict.health).toMatchObject({
    state: 'degraded',
    reason: 'Evicted',
    since: ago(minute),
  })
  expect(workload(60 * minute)?.verdict.health.state).toBe('healthy')
})

test('a pod that ended is listed as it ended, and counts as no trouble of the cluster', () => {
  const assessment = assess(tablesWith(running(), evicted(minute)), nowMs)
  expect(countStates(assessment.pods.values())).toMatchObject({ healthy: 1, failing: 1 })
  expect(countStates(podsInUse(assessment))).toMatchObject({ healthy: 1, failing: 0 })
})
