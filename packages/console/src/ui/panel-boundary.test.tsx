import { render, screen } from '@testing-library/react'
import { act } from 'react'
import { expect, test } from 'vitest'
import { PanelBoundary } from './panel-boundary.tsx'

let isBroken = true

function Panel() {
  if (isBroken) throw new TypeError('no figures')
  return <p>42 pods</p>
}

test('a panel that breaks says so and can be tried again, while what stands beside it stays', async () => {
  render(
    <>
      <p>Beside it</p>
      <PanelBoundary panel="Capacity">
        <Panel />
      </PanelBoundary>
    </>,
    { onCaughtError: () => undefined },
  )
  expect(screen.getByRole('alert').textContent).toContain('Capacity could not be shown')
  expect(screen.getByText('no figures')).toBeTruthy()
  expect(screen.getByText('Beside it')).toBeTruthy()
  isBroken = false
  await act(async () => screen.getByRole('button', { name: 'Retry' }).click())
  expect(screen.getByText('42 pods')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
