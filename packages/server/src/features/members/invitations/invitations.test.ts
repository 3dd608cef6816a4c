import { afterAll, expect, test, vi } from 'vitest'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { startMailServer } from '../../../testing/mail-server.ts'

const mailServer = await startMailServer()
afterAll(() => mailServer.stop())
const lines: string[] = []
const { ask, given, database, url } = await testApp(
  { smtp: mailServer.settings, signup: 'invite' },
  { log: (line) => lines.push(line) },
)

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
let counter = 0
const newAddress = () => `guest-${(counter += 1)}@example.com`
const password = 'difference-1!'

async function invite(by: GivenUser, email = newAddress(), values: object = {}) {
  const body = { emails: [email], role: 'MEMBER', isMailed: false, ...values }
  const reply = await ask('POST', '/api/invitations', { ...as(by), body })
  const [result] = reply.body.results
  return {
    email,
    id: result.invitation.id as string,
    link: result.link as string,
    token: tokenOf(result.link),
  }
}

const tokenOf = (link: string) => link.split('/invite#')[1] ?? ''
const accept = (token: string, by: { token: string }) =>
  ask('POST', '/api/invitations/accept', { token: by.token, body: { token } })
const preview = (token: string) => ask('POST', '/api/invitations/preview', { body: { token } })
const signUp = (token: string) =>
  ask('POST', '/api/invitations/signup', { body: { token, name: 'Guest', password } })

async function age(id: string) {
  await database.ownerPool.query(
    `update invitations set expires_at = now() - interval '1 minute' where id = $1`,
    [id],
  )
}

const statusesOf = (replies: { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b)

test('several addresses are invited at once, each with a result of its own, by mail and by link', async () => {
  const owner = await given.user({ name: 'Ada' })
  const member = await given.user({ organizationId: owner.organizationId, role: 'MEMBER' })
  const [first, waiting] = [newAddress(), newAddress()]
  await invite(owner, waiting)
  const emails = [first, ` ${first.toUpperCase()} `, 'nobody', member.email, waiting]
  const body = { emails, role: 'VIEWER', expiresInHours: 48 }
  const reply = await ask('POST', '/api/invitations', { ...as(owner), body })
  expect(reply.status).toBe(201)
  expect(reply.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'invited',
    'invalid',
    'already_member',
    'already_invited',
  ])
  const { link, invitation } = reply.body.results[0]
  expect(link).toMatch(new RegExp(`^${url.replace('127.0.0.1', 'localhost')}/invite#bey_invite_[\\w-]{43}$`))
  expect(invitation).toMatchObject({
    email: first,
    role: 'VIEWER',
    status: 'pending',
    invitedBy: { name: 'Ada', email: owner.email },
  })
  await vi.waitFor(() => expect(mailServer.mails.map(({ to }) => to)).toContainEqual([first]), 60_000)
  const mail = mailServer.mails.find(({ to }) => to[0] === first)?.source ?? ''
  expect(mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(link)
  await vi.waitFor(async () => {
    const list = (await ask('GET', `/api/invitations?search=${first}`, as(owner))).body
    expect(list).toMatchObject({
      total: 1,
      isMailConfigured: true,
      invitations: [{ mail: { status: 'sent' } }],
    })
  }, 60_000)
  expect(lines.join('')).not.toContain(tokenOf(link))
  const stored = await database.ownerPool.query('select to_jsonb(i)::text as row from invitations i')
  expect(JSON.stringify(stored.rows)).not.toContain(tokenOf(link))
})

test('a new account is made where sign-up is closed, with the role, and says who invited it', async () => {
  const owner = await given.user({ name: 'Ada' })
  const { token, email } = await invite(owner)
  expect((await preview(token)).body).toMatchObject({
    email,
    invitedBy: { name: 'Ada', email: owner.email },
    hasAccount: false,
  })
  const reply = await signUp(token)
  expect(reply.status).toBe(201)
  expect(reply.body.user).toMatchObject({
    email,
    organizations: [{ id: owner.organizationId, role: 'MEMBER' }],
  })
  const { body } = await ask('GET', `/api/members?search=${email}`, as(owner))
  expect(body.members).toMatchObject([
    { email, origin: { type: 'invitation', by: { name: 'Ada', email: owner.email } } },
  ])
  const login = await ask('POST', '/api/auth/login', { body: { email, password } })
  expect(login.status).toBe(200)
})

test('an account joins by its invitation, and works there at once', async () => {
  const owner = await given.user()
  const guest = await given.user({ email: newAddress() })
  const { token } = await invite(owner, guest.email)
  expect((await preview(token)).body.hasAccount).toBe(true)
  const reply = await accept(token, guest)
  expect(reply.body.organization).toMatchObject({ id: owner.organizationId, role: 'MEMBER' })
  const me = (await ask('GET', '/api/auth/me', { token: guest.token })).body
  expect(me.active_organization_id).toBe(owner.organizationId)
  expect(me.organizations).toHaveLength(2)
})

test('an invitation that another address takes stays unused, and the attempt is in the trail', async () => {
  const owner = await given.user()
  const thief = await given.user({ email: newAddress() })
  const { token, email } = await invite(owner)
  const reply = await accept(token, thief)
  expect([reply.status, reply.body.code]).toEqual([403, 'wrong_account'])
  expect(reply.body.detail).toContain(`This invitation is for ${email}`)
  const { rows } = await database.ownerPool.query(
    `select actor_email, outcome from audit_entries where organization_id = $1 and action = 'invitation.accept'`,
    [owner.organizationId],
  )
  expect(rows).toEqual([{ actor_email: thief.email, outcome: 'denied' }])
  expect((await preview(token)).status).toBe(200)
})

test('an invitation that is accepted twice at once makes one member', async () => {
  const owner = await given.user()
  const guest = await given.user({ email: newAddress() })
  const { token } = await invite(owner, guest.email)
  const replies = await Promise.all([accept(token, guest), accept(token, guest), accept(token, guest)])
  expect(statusesOf(replies)).toEqual([200, 410, 410])
  expect(replies.find(({ status }) => status === 410)?.body).toMatchObject({ code: 'invitation_over' })
  const fresh = await invite(owner)
  const accounts = await Promise.all([signUp(fresh.token), signUp(fresh.token)])
  expect(statusesOf(accounts)[0]).toBe(201)
  expect(statusesOf(accounts)[1]).toBeGreaterThanOrEqual(409)
})

test('a revoked, declined or expired invitation lets nobody in and says why', async () => {
  const owner = await given.user()
  const guest = await given.user({ email: newAddress() })
  const attempt = async (token: string) => {
    const replies = [await preview(token), await accept(token, guest), await signUp(token)]
    expect(replies.map(({ status }) => status)).toEqual([410, 410, 410])
    return replies[1]?.body.detail
  }
  const revoked = await invite(owner, guest.email)
  expect((await ask('DELETE', `/api/invitations/${revoked.id}`, as(owner))).status).toBe(204)
  expect(await attempt(revoked.token)).toContain('was revoked')
  const declined = await invite(owner, guest.email)
  const reject = await ask('POST', '/api/invitations/reject', { body: { token: declined.token } })
  expect(reject.status).toBe(204)
  expect(await attempt(declined.token)).toContain('was declined')
  const expired = await invite(owner, guest.email)
  await age(expired.id)
  expect(await attempt(expired.token)).toContain('has expired')
  expect((await accept('bey_invite_unheard-of', guest)).status).toBe(404)
})

test('sending again ends the link before, extends the invitation, and brings an expired one back', async () => {
  const owner = await given.user()
  const guest = await given.user({ email: newAddress() })
  const { id, token } = await invite(owner, guest.email, { expiresInHours: 48 })
  await age(id)
  const reply = await ask('POST', `/api/invitations/${id}/resend`, {
    ...as(owner),
    body: { isMailed: false },
  })
  expect(reply.body.invitation).toMatchObject({ id, status: 'pending' })
  expect((await preview(token)).status).toBe(404)
  const copied = await ask('GET', `/api/invitations/${id}/link`, as(owner))
  expect(copied.body.link).toBe(reply.body.link)
  expect((await accept(tokenOf(reply.body.link), guest)).status).toBe(200)
})

test('nobody invites an owner, and only owners and admins invite', async () => {
  const owner = await given.user()
  const member = await given.user({ organizationId: owner.organizationId, role: 'MEMBER' })
  const body = { emails: [newAddress()], role: 'OWNER' }
  expect((await ask('POST', '/api/invitations', { ...as(owner), body })).status).toBe(400)
  const asMember = await ask('POST', '/api/invitations', { ...as(member), body: { ...body, role: 'VIEWER' } })
  expect([asMember.status, asMember.body.code]).toEqual([403, 'forbidden'])
  expect((await ask('GET', '/api/invitations', as(member))).status).toBe(403)
})

test('invitations of another organization are not found', async () => {
  const [mine, theirs] = [await given.user(), await given.user()]
  const { id } = await invite(theirs)
  for (const [method, path] of [
    ['GET', `/api/invitations/${id}/link`],
    ['POST', `/api/invitations/${id}/resend`],
    ['DELETE', `/api/invitations/${id}`],
  ] as const) {
    const reply = await ask(method, path, { ...as(mine), ...(method === 'POST' && { body: {} }) })
    expect(reply.status).toBe(404)
  }
  expect((await ask('GET', '/api/invitations', as(mine))).body.total).toBe(0)
})
