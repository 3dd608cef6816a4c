import type { SecretUse } from '@bey/contract'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { RotationEffects } from './rotation-effects.tsx'

afterEach(cleanup)

const use = (name: string, onRotation: SecretUse['onRotation']): SecretUse => ({
  type: 'database',
  id: name,
  name,
  detail: '',
  pods: null,
  isStuck: false,
  lastUsedAt: null,
  lastVersion: 1,
  onRotation,
})

function Effects({ uses }: { uses: readonly SecretUse[] }) {
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  return (
    <>
      <RotationEffects uses={uses} accepted={accepted} onAccept={setAccepted} />
      <output>{[...accepted].join()}</output>
    </>
  )
}

test('each thing that breaks has a tick of its own; the others have none', () => {
  render(
    <Effects uses={[use('a', 'breaks'), use('b', 'follows'), use('c', 'breaks'), use('d', 'restarts')]} />,
  )
  expect(screen.getAllByRole('checkbox')).toHaveLength(2)
  const accepted = () => screen.getByRole('status').textContent
  fireEvent.click(screen.getByLabelText('c may break'))
  expect(accepted()).toBe('database c')
  fireEvent.click(screen.getByLabelText('a may break'))
  fireEvent.click(screen.getByLabelText('c may break'))
  expect(accepted()).toBe('database a')
  expect(screen.getByRole('region', { name: 'Follow automatically' }).textContent).toContain('b')
  expect(screen.getByRole('region', { name: 'Follow, and restart' }).textContent).toContain('d')
})
