import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BoxLayoutReply, BoxLayoutRequest } from './box-layout-worker.ts'
import { dropPreparedBoxLayout, prepareBoxLayout, useBoxLayout } from './use-box-layout.ts'

/** A worker that keeps what it was asked until the test answers. */
class FakeWorker extends EventTarget {
  static all: FakeWorker[] = []
  asked: BoxLayoutRequest[] = []
  isEnded = false
  constructor() {
    super()
    FakeWorker.all.push(this)
  }
  postMessage(request: BoxLayoutRequest) {
    this.asked.push(request)
  }
  terminate() {
    this.isEnded = true
  }
  answer(data: BoxLayoutReply) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

beforeEach(() => {
  FakeWorker.all = []
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => {
  cleanup()
  dropPreparedBoxLayout()
  vi.unstubAllGlobals()
})

const boxes = [{ kind: 'pod', width: 100, height: 50 }]
const draw = () => renderHook(() => useBoxLayout(boxes, []))

test('a graph takes the worker that was started before it, and ends it when it goes', async () => {
  prepareBoxLayout()
  prepareBoxLayout()
  const { result, unmount } = draw()
  expect(FakeWorker.all).toHaveLength(1)
  const [worker] = FakeWorker.all
  expect(worker?.asked).toMatchObject([{ boxes }])
  act(() => worker?.answer({ id: 1, points: [['pod', { x: 3, y: 4 }]] }))
  await waitFor(() => expect(result.current?.get('pod')).toEqual({ x: 3, y: 4 }))
  dropPreparedBoxLayout()
  expect(worker?.isEnded).toBe(false)
  unmount()
  expect(worker?.isEnded).toBe(true)
})

test('a worker that no graph took is ended, and the next graph starts its own', () => {
  prepareBoxLayout()
  dropPreparedBoxLayout()
  expect(FakeWorker.all[0]?.isEnded).toBe(true)
  draw()
  expect(FakeWorker.all).toHaveLength(2)
})

test('where the prepared worker could not be loaded the graph tries again, and without one boxes stand in a column', async () => {
  prepareBoxLayout()
  FakeWorker.all[0]?.dispatchEvent(new Event('error'))
  const { result } = draw()
  expect(FakeWorker.all).toHaveLength(2)
  act(() => void FakeWorker.all[1]?.dispatchEvent(new Event('error')))
  await waitFor(() => expect(result.current?.get('pod')).toEqual({ x: 0, y: 0 }))
})
