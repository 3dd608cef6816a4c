import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given, database } = await testApp()

const theme = {
  themeMode: 'custom',
  baseColor: [12, 3.5, 285],
  accentColor: [55, 80, 300],
  contrast: 33,
  animationsEnabled: false,
  denseMode: true,
}
const time = { timeZone: 'Europe/Vienna', dateFormat: 'iso', hourCycle: '12' }

test('who chose nothing follows the system, and learns that nothing was saved', async () => {
  const { token } = await given.user()
  const { status, body } = await ask('GET', '/api/settings', { token })
  expect(status).toBe(200)
  expect(body.isThemeSaved).toBe(false)
  expect(body.theme).toMatchObject({ themeMode: 'system', animationsEnabled: true, denseMode: false })
  expect(body.time).toEqual({ timeZone: null, dateFormat: 'day-month', hourCycle: '24' })
})

test('a theme is kept for its user in every organization, and nobody else sees it', async () => {
  const [ada, bob] = [await given.user(), await given.user()]
  const reply = await ask('PUT', '/api/settings', { token: ada.token, body: { theme } })
  expect([reply.status, reply.body.theme]).toEqual([200, theme])
  // A foreign organization in the header changes nothing: settings belong to the user alone.
  const read = await ask('GET', '/api/settings', { token: ada.token, organizationId: bob.organizationId })
  expect(read.body).toMatchObject({ theme, isThemeSaved: true })
  expect((await ask('GET', '/api/settings', { token: bob.token })).body.isThemeSaved).toBe(false)
})

test('theme and time are kept apart: neither change loses the other', async () => {
  const { token } = await given.user()
  await Promise.all([
    ask('PUT', '/api/settings', { token, body: { theme } }),
    ask('PUT', '/api/settings/time', { token, body: { time } }),
  ])
  expect((await ask('GET', '/api/settings', { token })).body).toEqual({ theme, isThemeSaved: true, time })
})

test.each([
  ['an unknown mode', { themeMode: 'purple' }, 'theme.themeMode'],
  ['a lightness above 100', { baseColor: [101, 0, 0] }, 'theme.baseColor.0'],
  ['a negative chroma', { accentColor: [50, -1, 0] }, 'theme.accentColor.1'],
  ['a hue above 360', { accentColor: [50, 1, 361] }, 'theme.accentColor.2'],
  ['four numbers for a colour', { baseColor: [1, 2, 3, 4] }, 'theme.baseColor'],
  ['a colour in words', { baseColor: 'red' }, 'theme.baseColor'],
  ['a contrast in words', { contrast: '33' }, 'theme.contrast'],
  ['a contrast above 100', { contrast: 1e9 }, 'theme.contrast'],
  ['animations that are a number', { animationsEnabled: 1 }, 'theme.animationsEnabled'],
  ['a dense mode that is null', { denseMode: null }, 'theme.denseMode'],
  ['a field that is not one', { css: 'body{}' }, 'theme.css'],
])('a theme with %s is refused, and the saved one stays', async (_what, wrong, path) => {
  const { token } = await given.user()
  await ask('PUT', '/api/settings', { token, body: { theme } })
  const reply = await ask('PUT', '/api/settings', { token, body: { theme: { ...theme, ...wrong } } })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  expect(reply.body.errors.map((error: { path: string }) => error.path)).toEqual([path])
  expect((await ask('GET', '/api/settings', { token })).body.theme).toEqual(theme)
})

test.each([
  ['no theme', {}],
  ['half a theme', { theme: { themeMode: 'dark' } }],
  ['the time beside it', { theme, time }],
  ['a list', [theme]],
])('a body with %s is refused', async (_what, body) => {
  const { token } = await given.user()
  expect((await ask('PUT', '/api/settings', { token, body })).status).toBe(400)
})

test.each([
  ['a zone that does not exist', { timeZone: 'Mars/Olympus' }],
  ['an offset', { timeZone: '+05:00' }],
  ['a zone of 70 characters', { timeZone: 'A'.repeat(70) }],
  ['an empty zone', { timeZone: '' }],
  ['an unknown format', { dateFormat: '%d/%m/%y' }],
  ['a clock of 13 hours', { hourCycle: '13' }],
])('times with %s are refused', async (_what, wrong) => {
  const { token } = await given.user()
  const reply = await ask('PUT', '/api/settings/time', { token, body: { time: { ...time, ...wrong } } })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
})

test('a stored theme that is not understood counts as not chosen', async () => {
  const { id, token } = await given.user()
  await ask('PUT', '/api/settings', { token, body: { theme } })
  await database.ownerPool.query(
    `update user_settings set theme = '{"themeMode":"sepia"}' where user_id = $1`,
    [id],
  )
  const { body } = await ask('GET', '/api/settings', { token })
  expect([body.isThemeSaved, body.theme.themeMode]).toEqual([false, 'system'])
})

test('a theme that is tried out leaves the audit trail alone', async () => {
  const { token, organizationId } = await given.user()
  await ask('PUT', '/api/settings', { token, body: { theme } })
  const { rows } = await database.ownerPool.query(
    'select action from audit_entries where organization_id = $1',
    [organizationId],
  )
  expect(rows).toEqual([])
})
