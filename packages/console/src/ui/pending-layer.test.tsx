import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { lazy, Suspense, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { PendingLayer } from './pending-layer.tsx'

afterEach(cleanup)

test('Escape cancels what is still being loaded: it does not open later', async () => {
  const loading = Promise.withResolvers<{ default: () => string }>()
  const Part = lazy(() => loading.promise)
  function Page() {
    const [isOpen, setOpen] = useState(true)
    return isOpen ? (
      <Suspense fallback={<PendingLayer onCancel={() => setOpen(false)} />}>
        <Part />
      </Suspense>
    ) : (
      <p>closed</p>
    )
  }
  render(<Page />)
  expect(await screen.findByText(/Esc cancels/)).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  loading.resolve({ default: () => 'the part' })
  await loading.promise
  expect(screen.getByText('closed')).toBeTruthy()
  expect(screen.queryByText('the part')).toBeNull()
})
