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

test('what is as it should be is one line, and what is not known has its own', () => {
  render(
    <ObjectConditions
      conditions={[
        { type: 'PIDPressure', status: 'False', message: 'kubelet has enough PIDs' },
        { type: 'Ready', status: 'True' },
        { type: 'DiskPressure', status: 'Unknown', reason: 'NodeStatusUnknown' },
      ]}
    />,
  )
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items).toEqual(['Disk pressure: unknown—Node status unknown', 'Ready: yesPID pressure: no'])
})
