import type { EventFrame, LiveEvents, LiveEventType } from '@bey/contract'
import { expect, test } from 'vitest'
import { createRealtimeBuffer, toRealtimeMessage } from './realtime-messages.ts'

// A frame of one type: what TypeScript cannot follow through a generic union.
const frame = <T extends LiveEventType>(type: T, data: LiveEvents[T], id = 'e1') =>
  ({
    id,
    type,
    target: 'ALL',
    timestamp: '2026-11-21T12:00:00Z',
    component: 'workflows',
    message: '',
    organizationId: 7,
    data,
  }) as unknown as EventFrame

const workflowId = '01890000-0000-7000-8000-000000000001'
const runId = '01890000-0000-7000-8000-000000000002'
const update = (id: string) =>
  frame('WORKFLOW_UPDATE', { workflowId, status: 'running', lastRunAt: null }, id)

test('the four kinds of workflow messages are read, with a progress of 0 where they tell none', () => {
  expect(toRealtimeMessage(update('a'))).toEqual({
    id: 'a',
    type: 'WORKFLOW_UPDATE',
    timestamp: '2026-11-21T12:00:00Z',
    workflowId,
    clusterId: null,
    stepName: null,
    stepStatus: null,
    message: 'running',
    progress: 0,
  })
  const step = {
    workflowId,
    runId,
    subject: { type: 'cluster', id: '3' } as const,
    stepKey: 'join',
    stepName: 'Join nodes',
  }
  expect(
    toRealtimeMessage(
      frame('WORKFLOW_STEP_UPDATE', { ...step, stepStatus: 'running', message: 'Joining', progress: 40 }),
    ),
  ).toMatchObject({
    clusterId: 3,
    stepName: 'Join nodes',
    stepStatus: 'running',
    message: 'Joining',
    progress: 40,
  })
  const log = { seq: 1, stepKey: 'join', attempt: 1, at: '2026-11-21T12:00:00Z', level: 'info' as const }
  expect(
    toRealtimeMessage(
      frame('WORKFLOW_LOG', { ...step, message: 'Node 1 joined', log: { ...log, message: 'Node 1 joined' } }),
    ),
  ).toMatchObject({ message: 'Node 1 joined', progress: 0 })
  expect(
    toRealtimeMessage(
      frame('CLUSTER_PROVISIONING_UPDATE', {
        clusterId: 3,
        status: 'FAILED',
        error: 'No room',
        workflowId,
        runId,
        stepName: null,
        progress: 60,
      }),
    ),
  ).toMatchObject({ clusterId: 3, message: 'No room', progress: 60 })
})

test('anything else is no workflow message', () => {
  expect(toRealtimeMessage(frame('METRICS_STREAMING_STARTED', { clusterId: 3 }))).toBeUndefined()
  expect(toRealtimeMessage({ type: 'PONG', id: '1', payload: { timestamp: 1 } })).toBeUndefined()
})

test('the buffer keeps the newest 50 and is emptied by hand', () => {
  const buffer = createRealtimeBuffer()
  let changes = 0
  const stop = buffer.subscribe(() => (changes += 1))
  for (let i = 1; i <= 60; i += 1) buffer.add(update(`e${i}`))
  buffer.add({ type: 'BACKUP_DONE' })
  expect(buffer.list()).toHaveLength(50)
  expect(buffer.list()[0]?.id).toBe('e11')
  expect(buffer.list().at(-1)?.id).toBe('e60')
  expect(buffer.list()).toBe(buffer.list())
  buffer.clear()
  expect(buffer.list()).toEqual([])
  expect(changes).toBe(61)
  stop()
  buffer.add(update('later'))
  expect(changes).toBe(61)
})
