import type { Subscription } from '@bey/contract'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { SubscriptionList } from './subscription-list.tsx'
import { describeSubscription } from './use-subscriptions.ts'

const socket = vi.hoisted(() => ({ state: { subscriptions: [] as Subscription[] } }))
vi.mock('../../data/live-socket.ts', () => ({ liveSocket: socket }))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('every subscription is of the kind Workflow, Cluster or Global', () => {
  const all: Subscription[] = [
    { kind: 'workflow', workflowId: 'w' },
    { kind: 'cluster', clusterId: 3 },
    { kind: 'cluster_metrics', clusterId: 3 },
    { kind: 'cluster_resources', clusterId: 3 },
    { kind: 'organization' },
    { kind: 'workflows' },
    { kind: 'engine_status' },
  ]
  expect(all.map((each) => Object.values(describeSubscription(each)).join(': '))).toEqual([
    'Workflow: w',
    'Cluster: 3 provisioning',
    'Cluster: 3 metrics',
    'Cluster: 3 resources',
    'Global: organization',
    'Global: all workflows',
    'Global: engine status',
  ])
})

test('the list is looked up every 2 s, and an empty one says so', async () => {
  vi.useFakeTimers()
  render(<SubscriptionList />)
  expect(screen.getByText('No active subscriptions')).toBeDefined()
  socket.state = { subscriptions: [{ kind: 'workflows' }] }
  await act(() => vi.advanceTimersByTimeAsync(1_999))
  expect(screen.getByText('No active subscriptions')).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.getByText('all workflows')).toBeDefined()
})
