// @vitest-environment node
import { expect, test } from 'vitest'
import { settingsGroup, settingsKey } from './settings-group.ts'

test('settings, profile and errors are marked in their own section, services are not', () => {
  expect(settingsKey('/workspaces/settings/api-keys')).toBe('Settings/workspace')
  expect(settingsKey('/workspaces/members')).toBe('Settings/workspace')
  expect(settingsKey('/profile')).toBe('Settings/profile')
  expect(settingsKey('/errors/019a0000-0000-7000-8000-000000000000')).toBe('Settings/errors')
  for (const path of ['/', '/secrets', '/workflows/runs']) expect(settingsKey(path)).toBeUndefined()
})

test('the search finds settings by label or page', () => {
  expect(settingsGroup('webh')?.entries.map(({ routes }) => routes)).toEqual([
    [{ label: 'Webhooks', path: '/workspaces/settings/webhooks' }],
  ])
  expect(settingsGroup('no such thing')).toBeUndefined()
})
