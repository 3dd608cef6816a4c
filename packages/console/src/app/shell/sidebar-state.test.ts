// @vitest-environment node
import { expect, test } from 'vitest'
import { readSidebarCookie, sidebarCookie } from './sidebar-state.ts'

test('the sidebar is expanded until the cookie says otherwise', () => {
  expect(readSidebarCookie('')).toBe(true)
  expect(readSidebarCookie('other=1; sidebar_state=false')).toBe(false)
  expect(readSidebarCookie('sidebar_state=true')).toBe(true)
  expect(readSidebarCookie('not_sidebar_state=false')).toBe(true)
})

test('the choice is kept for 604800 s', () => {
  expect(sidebarCookie(false)).toContain('sidebar_state=false')
  expect(sidebarCookie(false)).toContain('max-age=604800')
})
