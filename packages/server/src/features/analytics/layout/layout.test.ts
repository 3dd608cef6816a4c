import { defaultCards } from '@bey/contract/analytics/dashboard-cards'
import { expect, test } from 'vitest'
import { testApp } from '../../../testing/app.ts'

const { ask, given } = await testApp()
const ada = await given.user({ role: 'OWNER', name: 'Ada' })
const { organizationId } = ada
const grace = await given.user({ organizationId, role: 'MEMBER', name: 'Grace' })
const viewer = await given.user({ organizationId, role: 'VIEWER' })
type User = typeof ada

const call = (user: User, method: string, path = '', cards?: object[]) =>
  ask(method, `/api/analytics/layout${path}`, {
    token: user.token,
    organizationId: user.organizationId,
    ...(cards && { body: { cards } }),
  })
const seen = async (user: User) => (await call(user, 'GET')).body
const services = [{ card: 'services', width: 12 }]
const capacity = [{ card: 'capacity', width: 8 }]

test('a member sees the own arrangement before the shared one, and the default without both', async () => {
  expect(await seen(grace)).toEqual({ cards: defaultCards, source: 'default', shared: null })
  expect((await call(grace, 'PUT', '', services)).body).toMatchObject({ cards: services, source: 'own' })
  expect(await seen(viewer)).toMatchObject({ source: 'default' })

  expect((await call(ada, 'PUT', '/shared', capacity)).body).toMatchObject({ source: 'organization' })
  expect(await seen(viewer)).toMatchObject({
    cards: capacity,
    source: 'organization',
    shared: { by: 'Ada' },
  })
  expect(await seen(grace)).toMatchObject({ cards: services, source: 'own' })

  expect((await call(grace, 'DELETE')).body).toMatchObject({ cards: capacity, source: 'organization' })
  expect((await call(ada, 'DELETE', '/shared')).body).toMatchObject({ source: 'default', shared: null })
})

test('a viewer arranges the own dashboard, and not that of everybody', async () => {
  expect((await call(viewer, 'PUT', '', services)).status).toBe(200)
  expect((await call(viewer, 'PUT', '/shared', services)).status).toBe(403)
  expect((await call(viewer, 'DELETE', '/shared')).status).toBe(403)
  expect(await seen(ada)).toMatchObject({ source: 'default' })
})

test('another organization has arrangements of its own', async () => {
  const stranger = await given.user({ role: 'OWNER' })
  await call(ada, 'PUT', '/shared', capacity)
  expect(await seen(stranger)).toMatchObject({ source: 'default', shared: null })
})

test.each([
  ['no card', [], 'Keep at least one card.'],
  ['a card twice', [...services, ...services], 'A card can be there only once.'],
  ['an unknown card', [{ card: 'weather', width: 12 }], ''],
  ['a width that is none', [{ card: 'services', width: 5 }], ''],
])('%s is refused, and the arrangement stays', async (_, cards, sentence) => {
  const before = await seen(grace)
  const refused = await call(grace, 'PUT', '', cards)
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain(sentence)
  expect(await seen(grace)).toEqual(before)
})
