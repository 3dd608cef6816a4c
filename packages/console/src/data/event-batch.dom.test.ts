import { type EventFrame, eventTable } from '@bey/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { LiveReducers } from './live.ts'
import { createEventBatch } from './event-batch.ts'

const engineStatus = (activeWorkflows: number): EventFrame<'ENGINE_STATUS_UPDATE'> => ({
  id: String(activeWorkflows),
  type: 'ENGINE_STATUS_UPDATE',
  target: 'ALL',
  timestamp: '2026-11-21T12:00:00Z',
  component: 'engine',
  message: '',
  organizationId: 1,
  data: { activeWorkflows, status: 'running' },
})

function given(reduce: LiveReducers['ENGINE_STATUS_UPDATE']) {
  const frames: (() => void)[] = []
  const cache = new QueryClient()
  const unexpected = () => expect.fail('Another event was applied.')
  const reducers = {
    // The keys are those of the table.
    ...(Object.fromEntries<unknown>(
      Object.keys(eventTable).map((type) => [type, unexpected]),
    ) as LiveReducers),
    ENGINE_STATUS_UPDATE: reduce,
  }
  const batch = createEventBatch(cache, reducers, (flush) => frames.push(flush))
  return { batch, cache, frames }
}

test('a burst waits for one frame and is then applied in order', () => {
  const applied: number[] = []
  const { batch, frames } = given((_cache, event) => applied.push(event.data.activeWorkflows))
  for (const count of [1, 2, 3]) batch.add(engineStatus(count))
  expect(frames).toHaveLength(1)
  expect(applied).toEqual([])
  frames[0]?.()
  expect(applied).toEqual([1, 2, 3])
})

test('events after a frame ask for the next one', () => {
  const { batch, frames } = given(() => undefined)
  batch.add(engineStatus(1))
  frames[0]?.()
  batch.add(engineStatus(2))
  expect(frames).toHaveLength(2)
})

test('an event that cannot be applied costs no other, and what is on screen is read again', () => {
  const applied: number[] = []
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { batch, cache, frames } = given((_cache, { data }) => {
    if (data.activeWorkflows === 1) throw new Error('broken')
    applied.push(data.activeWorkflows)
  })
  const invalidate = vi.spyOn(cache, 'invalidateQueries')
  batch.add(engineStatus(1))
  batch.add(engineStatus(2))
  frames[0]?.()
  expect(applied).toEqual([2])
  expect(invalidate).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('what waits is forgotten when the session ends', () => {
  const applied: number[] = []
  const { batch, frames } = given((_cache, event) => applied.push(event.data.activeWorkflows))
  batch.add(engineStatus(1))
  batch.drop()
  frames[0]?.()
  expect(applied).toEqual([])
})
