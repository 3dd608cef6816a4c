import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { applyThemeMode } from '../../ui/theme/mode.ts'
import { BarFrame } from './bar-frame.tsx'

test('a theme that is applied after the bar leaves its height free', () => {
  const { unmount } = render(<BarFrame>bar</BarFrame>)
  const page = document.documentElement
  applyThemeMode('custom', '--bg: white', page)
  applyThemeMode('dark', null, page)
  expect(page.matches('[data-developer-bar]')).toBe(true)
  unmount()
  expect(page.matches('[data-developer-bar]')).toBe(false)
})
