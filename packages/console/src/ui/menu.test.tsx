import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { loadMenus, Menu, MenuItem } from './menu.tsx'

afterEach(cleanup)

const onDelete = vi.fn<() => void>()

function rendered() {
  render(
    <Menu trigger={<button type="button">Actions</button>}>
      <MenuItem disabledReason="It is running">Rename</MenuItem>
      <MenuItem onSelect={onDelete}>Delete</MenuItem>
    </Menu>,
  )
  return screen.getByRole('button', { name: 'Actions' })
}

test('a key opens the menu at its first item that can be chosen', async () => {
  const button = rendered()
  expect(button.getAttribute('aria-haspopup')).toBe('menu')
  expect(button.getAttribute('aria-expanded')).toBe('false')
  button.focus()
  fireEvent.keyDown(button, { key: 'ArrowDown' })
  const item = await screen.findByRole('menuitem', { name: 'Delete' })
  await waitFor(() => expect(document.activeElement).toBe(item))
  fireEvent.keyDown(item, { key: 'Enter' })
  expect(onDelete).toHaveBeenCalledOnce()
  // Closed again, it gives the focus back to its button.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Actions'))
})

test('a whole press opens the menu, whose button is not replaced under it', async () => {
  const button = rendered()
  fireEvent.pointerDown(button, { button: 0 })
  fireEvent.mouseDown(button, { button: 0 })
  await loadMenus()
  // In Firefox a press whose button has gone is a click on what lies beneath.
  expect(screen.getByRole('button', { name: 'Actions' })).toBe(button)
  expect(screen.queryByRole('menu')).toBeNull()
  fireEvent.click(button)
  expect(await screen.findByRole('menu')).toBeTruthy()
})
