import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { NodeCells } from './node-cells.tsx'
import type { NodeCellData } from './node-ticks.ts'

afterEach(cleanup)

const node = (name: string, used: number | null): NodeCellData => ({
  name,
  health: { state: 'healthy', reason: null },
  podCount: 0,
  failingCount: 0,
  pods: [],
  cpu: { requested: 0.4, used },
  memory: { requested: 0.5, used },
})

function show(cell: NodeCellData): HTMLElement {
  render(<NodeCells nodes={[cell]} hrefOf={() => '#'} />)
  return screen.getByRole('link')
}

test('a share that is not measured is called requested, and never use', () => {
  expect(show(node('node-1', null)).textContent).toMatch(/CPU40% requestedMem50% requested$/)
  cleanup()
  expect(show(node('node-1', 0.1)).textContent).toMatch(/CPU10%Mem10%$/)
})

test('a short name stands in one piece, which cannot lose its beginning', () => {
  const pieces = (name: string) => {
    const found = [
      ...show(node(name, 0.1)).querySelectorAll('[data-tooltip] span:not(.sr-only), span[data-tooltip]'),
    ]
    cleanup()
    return found.map((each) => each.textContent)
  }
  for (const name of ['n1', 'node-1', 'worker-10']) expect(pieces(name)).toContain(name)
  expect(pieces('ip-10-0-31-222.ec2.internal')).toContain('ip-10-0-31-222.ec2.internal')
})
