import { expect, test } from 'vitest'

import { testApp } from '../../../../testing/app.ts'

const app = await testApp()
const asker = await app.given.user({ role: 'MEMBER', name: 'Ada' })
const { organizationId } = asker
const grace = await app.given.user({ organizationId, role: 'ADMIN', name: 'Grace' })
const linus = await app.given.user({ organizationId, role: 'OWNER', name: 'Linus' })
const viewer = await app.given.user({ organizationId, role: 'VIEWER' })

const as = ({ token }: { token: string }) => ({ token, organizationId })
const pathOf = (id: string, verb = '') => `/api/v1/workflows/approvals/${id}${verb}`
const noticesOf = async (user: { token: string }, href: string) => {
  const { body } = await app.ask('GET', '/api/notifications', as(user))
  const { notifications } = body as { notifications: { href: string; detail: string }[] }
  return notifications.filter((each) => each.href === href).map(({ detail }) => detail)
}

test('an approval names who may still decide it: not who asked, nor who decided', async () => {
  const { id } = await app.given.approval({ organizationId, requestedBy: linus.id, neededCount: 2 })
  const read = async () => (await app.ask('GET', pathOf(id), as(asker))).body.approval
  expect(await read()).toMatchObject({
    deciders: [{ id: String(grace.id), name: 'Grace' }],
    deciders_total: 1,
    reminded_at: null,
  })
  await app.ask('POST', pathOf(id, '/decide'), { ...as(grace), body: { decision: 'approve' } })
  expect(await read()).toMatchObject({ deciders: [], deciders_total: 0 })
  const refused = await app.ask('POST', pathOf(id, '/remind'), as(linus))
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Nobody can decide this')
})

test('those who may decide are reminded once an hour, by name, and the audit log says who did', async () => {
  const { id, runId } = await app.given.approval({ organizationId, requestedBy: asker.id })
  const replies = await Promise.all([1, 2].map(() => app.ask('POST', pathOf(id, '/remind'), as(asker))))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(replies.find(({ status }) => status === 409)?.text).toContain('Remind again in 60 min')
  expect(replies.find(({ status }) => status === 200)?.body.approval.reminded_at).not.toBeNull()
  for (const user of [grace, linus]) {
    const notices = await noticesOf(user, `/workflows/approvals/${id}`)
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(/^Ada reminds you: /)
  }
  expect(await noticesOf(asker, `/workflows/approvals/${id}`)).toEqual([])
  const { body } = await app.ask('GET', `/api/audit?action=workflow_run.remind`, as(linus))
  expect(body.entries).toMatchObject([
    { action: 'workflow_run.remind', actor: { name: 'Ada' }, target: { id: runId } },
  ])
})

test('who may not run workflows may not remind, and what is decided reminds nobody', async () => {
  const { id } = await app.given.approval({ organizationId })
  expect((await app.ask('POST', pathOf(id, '/remind'), as(viewer))).status).toBe(403)
  const over = await app.given.approval({ organizationId, status: 'approved' })
  expect((await app.ask('POST', pathOf(over.id, '/remind'), as(asker))).status).toBe(409)
})
