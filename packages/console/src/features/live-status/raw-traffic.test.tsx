import type { LoggedMessage } from '@bey/client'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { RawTraffic } from './raw-traffic.tsx'

afterEach(cleanup)

const message = (id: number): LoggedMessage => ({
  id,
  type: id % 2 === 0 ? 'sent' : 'received',
  timestamp: '2026-11-21T12:00:00Z',
  data: { type: `N${id}` },
})

test('the newest 50 of the 100 kept messages are listed, newest first', () => {
  render(<RawTraffic messages={Array.from({ length: 100 }, (_, index) => message(index + 1))} />)
  const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
  expect(lines).toHaveLength(50)
  expect(lines[0]).toContain('{"type":"N100"}')
  expect(lines.at(-1)).toContain('{"type":"N51"}')
})
