import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'

afterEach(cleanup)

function show(props: Partial<ConfirmDialogProps> = {}) {
  const onConfirm = vi.fn()
  const onOpenChange = vi.fn()
  render(
    <ConfirmDialog
      open
      onOpenChange={onOpenChange}
      title="Are you sure you want to delete this cluster?"
      name="prod-eu-1"
      impact={['3 nodes', '41 pods']}
      action="Delete cluster"
      onConfirm={onConfirm}
      {...props}
    />,
  )
  return { onConfirm, onOpenChange }
}

test('it names the thing, lists what goes with it, and puts the verb on the button', () => {
  show()
  expect(screen.getByRole('dialog', { name: 'Are you sure you want to delete this cluster?' })).toBeTruthy()
  for (const text of ['prod-eu-1', '3 nodes', '41 pods']) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Delete cluster' })).toBeTruthy()
})

test('where the name must be typed, nothing else confirms', () => {
  const { onConfirm } = show({ mustTypeName: true })
  const button = screen.getByRole('button', { name: 'Delete cluster' })
  const field = screen.getByRole('textbox')
  for (const wrong of ['', 'prod-eu-', 'PROD-EU-1', 'prod-eu-1 ']) {
    fireEvent.change(field, { target: { value: wrong } })
    fireEvent.submit(field)
    fireEvent.click(button)
  }
  expect(onConfirm).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: 'prod-eu-1' } })
  fireEvent.click(button)
  expect(onConfirm).toHaveBeenCalledOnce()
})

test('while it works, a second press does nothing', () => {
  const { onConfirm } = show({ busy: true })
  fireEvent.click(screen.getByRole('button', { name: 'Delete cluster' }))
  expect(onConfirm).not.toHaveBeenCalled()
})

test('a failure is said in the dialog, which stays', () => {
  const { onOpenChange } = show({ error: 'Failed to delete cluster' })
  expect(screen.getByText('Failed to delete cluster')).toBeTruthy()
  expect(onOpenChange).not.toHaveBeenCalled()
})

test('Cancel and Escape close without confirming', () => {
  const { onConfirm, onOpenChange } = show()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  expect(onOpenChange).toHaveBeenCalledTimes(2)
  expect(onOpenChange).toHaveBeenLastCalledWith(false)
  expect(onConfirm).not.toHaveBeenCalled()
})
