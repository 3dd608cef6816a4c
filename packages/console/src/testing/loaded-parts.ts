import { cleanup } from '@testing-library/react'
import { afterAll } from 'vitest'
import { loadDialogs } from '../ui/dialog.tsx'
import { loadMenus } from '../ui/menu.tsx'

await Promise.all([loadDialogs(), loadMenus()])

// Test files share their document.
afterAll(() => {
  cleanup()
  document.body.replaceChildren()
})
