import { expect, test } from 'vitest'
import type { Entry } from '../../../entities/kubernetes/logs/log-store.ts'
import { createRowLayout } from './row-layout.ts'

const line = (id: number, columns: number): Entry => ({
  kind: 'line',
  id,
  source: 1,
  at: '',
  text: '',
  severity: 'none',
  columns,
})

test('rows are found by offset, wrapped and opened ones included, and new ones follow', () => {
  const layout = createRowLayout()
  const entries = [line(1, 10), line(2, 250), line(3, 0)]
  const plain = { columns: undefined, isRaw: false, openId: undefined, openHeight: 0 }
  layout.update(entries, plain)
  expect([layout.total(), layout.offsetOf(2), layout.indexAt(39), layout.indexAt(40)]).toEqual([60, 40, 1, 2])
  layout.update(entries, { ...plain, columns: 100 })
  expect([layout.total(), layout.offsetOf(2)]).toEqual([100, 80])
  layout.update(entries, { columns: 100, isRaw: false, openId: 1, openHeight: 70 })
  expect([layout.total(), layout.offsetOf(1), layout.indexAt(80)]).toEqual([170, 90, 0])
  entries.push(line(4, 100))
  layout.update(entries, { columns: 100, isRaw: false, openId: 1, openHeight: 70 })
  expect([layout.total(), layout.indexAt(1_000_000)]).toEqual([190, 3])
})
