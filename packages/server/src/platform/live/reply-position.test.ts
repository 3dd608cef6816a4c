import { includesPosition, positionHeader } from '@bey/contract'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given } = await testApp()

test('what is read of an organization says how far its events had been heard before', async () => {
  const user = await given.user({ role: 'OWNER' })
  const position = async (path: string) => (await ask('GET', path, user)).headers.get(positionHeader)
  const before = await position('/api/secrets')
  expect(before).toMatch(/^[0-9a-f]{8}\.\d+\.\d+$/)

  const body = { name: 'db-password', value: 'correct horse' }
  const created = await ask('POST', '/api/secrets', { ...user, body })
  expect([created.status, created.headers.get(positionHeader)]).toEqual([201, null])

  // The event is heard a moment after its commit.
  await expect
    .poll(async () => includesPosition(before ?? '', (await position('/api/secrets')) ?? ''))
    .toBe(false)
  expect(await position('/api/auth/me')).toBeNull()
})
