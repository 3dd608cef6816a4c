import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ObjectConditions } from './object-conditions.tsx'

afterEach(cleanup)

test('a condition says whether it holds, so that one which is false does not read as its opposite', () => {
  render(
    <ObjectConditions
      conditions={[
        { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
        { type: 'PodScheduled', status: 'True' },
        { type: 'MemoryPressure', status: 'False' },
        { type: 'DiskPressure', status: 'True' },
        { type: 'Progressing', status: 'Unknown' },
      ]}
    />,
  )
  for (const text of [
    'Ready: no',
    'Pod scheduled: yes',
    'Memory pressure: no',
    'Disk pressure: yes',
    'Progressing: unknown',
  ])
    expect(screen.getByText(text)).toBeDefined()
  expect(screen.queryByText('Ready')).toBeNull()
})
