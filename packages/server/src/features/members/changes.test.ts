import { expect, test } from 'vitest'
import { connect, flushed } from '../../platform/live/testing/live-server.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { soonMs } from '../../testing/soon.ts'

const { ask, given, database, port } = await testApp()
const liveUrl = `ws://127.0.0.1:${port}/ws`

async function team() {
  const owner = await given.user({ role: 'OWNER', name: 'Ada' })
  const { organizationId } = owner
  const join = (role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER') => given.user({ organizationId, role })
  return { owner, organizationId, join }
}

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const setRole = (by: GivenUser, id: number, role: string) =>
  ask('PATCH', `/api/members/${id}`, { ...as(by), body: { role } })

async function roleOf(user: GivenUser): Promise<string | undefined> {
  const { rows } = await database.ownerPool.query<{ role: string }>(
    'select role from memberships where organization_id = $1 and user_id = $2',
    [user.organizationId, user.id],
  )
  return rows[0]?.role
}

async function trailOf(organizationId: number) {
  const { rows } = await database.ownerPool.query<{ action: string; outcome: string; diff: object }>(
    'select action, outcome, diff from audit_entries where organization_id = $1 order by seq',
    [organizationId],
  )
  return rows
}

const statusesOf = (replies: { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b)

test('a role changes at once, also for what the member has open, and the change is audited', async () => {
  const { owner, organizationId, join } = await team()
  const member = await join('MEMBER')
  const socket = await connect(liveUrl, member)
  const reply = await setRole(owner, member.id, 'VIEWER')
  expect(reply.status).toBe(200)
  expect(reply.body.member).toMatchObject({ id: member.id, role: 'VIEWER', origin: { type: 'founder' } })
  expect(await socket.frame('REFETCH')).toMatchObject({ payload: { reason: 'Your role changed' } })
  const refused = await ask('POST', '/api/secrets', { ...as(member), body: { name: 's', value: 'v' } })
  expect(refused.status).toBe(403)
  expect(await trailOf(organizationId)).toContainEqual({
    action: 'member.set_role',
    outcome: 'success',
    diff: { role: { from: 'MEMBER', to: 'VIEWER' } },
  })
})

test('nobody changes their own role, and an ADMIN makes or unmakes no OWNER; each refusal is audited', async () => {
  const { owner, organizationId, join } = await team()
  const [admin, member] = [await join('ADMIN'), await join('MEMBER')]
  for (const [by, id, role, why] of [
    [admin, admin.id, 'OWNER', 'Nobody changes their own role.'],
    [owner, owner.id, 'ADMIN', 'Nobody changes their own role.'],
    [admin, member.id, 'OWNER', 'Only an owner makes somebody an owner.'],
    [admin, owner.id, 'MEMBER', 'Only an owner changes the role of an owner.'],
  ] as const) {
    const reply = await setRole(by, id, role)
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
    expect(reply.body.detail).toContain(why)
  }
  expect(await Promise.all([owner, admin, member].map(roleOf))).toEqual(['OWNER', 'ADMIN', 'MEMBER'])
  const denied = (await trailOf(organizationId)).filter(({ outcome }) => outcome === 'denied')
  expect(denied.map(({ action }) => action)).toEqual(Array.from({ length: 4 }, () => 'member.set_role'))
})

test('two owners who demote each other at once leave one owner', async () => {
  const { owner, join } = await team()
  const other = await join('OWNER')
  const replies = await Promise.all([setRole(owner, other.id, 'MEMBER'), setRole(other, owner.id, 'MEMBER')])
  expect(statusesOf(replies)).toEqual([200, 403])
  expect(new Set(await Promise.all([roleOf(owner), roleOf(other)]))).toEqual(new Set(['MEMBER', 'OWNER']))
})

test('two owners who leave at once leave one owner', async () => {
  const { owner, join } = await team()
  const other = await join('OWNER')
  const replies = await Promise.all(
    [owner, other].map((each) => ask('POST', '/api/organization/leave', as(each))),
  )
  expect(statusesOf(replies)).toEqual([204, 409])
  const refused = replies.find(({ status }) => status === 409)
  expect(refused?.body.detail).toContain('Transfer the ownership first')
})

test('members of another organization are not found', async () => {
  const [mine, theirs] = [await team(), await team()]
  const victim = await theirs.join('MEMBER')
  expect((await setRole(mine.owner, victim.id, 'VIEWER')).status).toBe(404)
  const remove = `/api/members/${victim.id}/remove`
  expect((await ask('POST', remove, { ...as(mine.owner), body: {} })).status).toBe(404)
  const into = { token: mine.owner.token, organizationId: theirs.organizationId }
  expect((await ask('POST', remove, { ...into, body: {} })).status).toBe(404)
  const transfer = await ask('POST', '/api/organization/transfer', {
    ...as(mine.owner),
    body: { userId: victim.id },
  })
  expect(transfer.status).toBe(404)
  expect(await roleOf(victim)).toBe('MEMBER')
})

test('a transfer makes one member the owner and the former owner an ADMIN', async () => {
  const { owner, join } = await team()
  const [admin, heir] = [await join('ADMIN'), await join('VIEWER')]
  const body = { userId: heir.id }
  expect((await ask('POST', '/api/organization/transfer', { ...as(admin), body })).status).toBe(403)
  const reply = await ask('POST', '/api/organization/transfer', { ...as(owner), body })
  expect(reply.body.owner).toMatchObject({ id: heir.id, role: 'OWNER' })
  expect([await roleOf(owner), await roleOf(heir)]).toEqual(['ADMIN', 'OWNER'])
})

test('a removed member is gone everywhere within a second', async () => {
  const { owner, organizationId, join } = await team()
  const [member, bystander] = [await join('ADMIN'), await join('MEMBER')]
  const cluster = await given.cluster({ organizationId, status: 'RUNNING' })
  const kubeToken = `bey_kube_${'k'.repeat(43)}`
  await database.withTenant(organizationId, (db) =>
    db.insert(kubeconfigTokens).values({
      id: uuidv7(),
      organizationId,
      userId: member.id,
      clusterId: cluster.id,
      tokenHash: hashToken(kubeToken),
      label: 'prod.kubeconfig',
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  )
  const sockets = [await connect(liveUrl, member), await connect(liveUrl, member)]
  const stays = await connect(liveUrl, bystander)

  const { belongings } = (await ask('GET', `/api/members/${member.id}/belongings`, as(owner))).body
  expect(belongings).toMatchObject([
    { kind: 'kubeconfig_tokens', total: 1, choices: ['end'], items: [{ name: 'prod.kubeconfig' }] },
  ])
  const startedAt = performance.now()
  const reply = await ask('POST', `/api/members/${member.id}/remove`, { ...as(owner), body: {} })
  expect(reply.status).toBe(200)
  for (const socket of sockets) expect(await socket.closed()).toMatchObject({ code: 1008 })
  expect(performance.now() - startedAt).toBeLessThan(soonMs)
  expect((await ask('GET', '/api/members', as(member))).status).toBe(404)
  const proxied = await ask('GET', `/api/kubernetes/clusters/${cluster.id}/proxy/api`, { token: kubeToken })
  expect(proxied.status).toBe(401)
  await flushed(stays)
  const [removed] = (await trailOf(organizationId)).filter(({ action }) => action === 'member.remove')
  expect(removed?.diff).toMatchObject({ settled: [{ kind: 'kubeconfig_tokens', choice: 'end', count: 1 }] })
})

test('what the person has is kept, transferred or ended, as was chosen', async () => {
  const { owner, organizationId, join } = await team()
  const [leaver, heir] = [await join('MEMBER'), await join('MEMBER')]
  const secret = await ask('POST', '/api/secrets', { ...as(owner), body: { name: 'db', value: 'v' } })
  const grants = [{ subjectType: 'user', subjectId: String(leaver.id), access: 'read' }]
  await ask('PUT', `/api/secrets/${secret.body.id}/grants`, { ...as(owner), body: { grants } })
  const run = await given.run({ organizationId, status: 'queued', createdBy: leaver.id })
  const kept = await given.run({ organizationId, status: 'completed', createdBy: leaver.id })

  const path = `/api/members/${leaver.id}`
  const { belongings } = (await ask('GET', `${path}/belongings`, as(owner))).body
  expect(belongings.map(({ kind, total }: { kind: string; total: number }) => [kind, total])).toEqual([
    ['runs', 1],
    ['secret_grants', 1],
  ])
  const choices = { runs: 'end', secret_grants: 'transfer' }
  const incomplete = await ask('POST', `${path}/remove`, { ...as(owner), body: { choices } })
  expect(incomplete.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'transferTo' }] })
  const toStranger = { choices, transferTo: (await given.user()).id }
  expect((await ask('POST', `${path}/remove`, { ...as(owner), body: toStranger })).status).toBe(400)
  const wrong = { choices: { secret_grants: 'keep' } }
  expect((await ask('POST', `${path}/remove`, { ...as(owner), body: wrong })).body.detail).toContain(
    'Access to secrets: choose end or transfer.',
  )
  expect(await roleOf(leaver)).toBe('MEMBER')

  const body = { choices, transferTo: heir.id }
  expect((await ask('POST', `${path}/remove`, { ...as(owner), body })).status).toBe(200)
  const after = await ask('GET', `/api/secrets/${secret.body.id}/grants`, as(owner))
  expect(after.body.grants).toMatchObject([{ subjectId: String(heir.id), access: 'read' }])
  const { rows } = await database.ownerPool.query<{ id: string; status: string }>(
    'select id, status from workflow_runs where id = any ($1) order by status',
    [[run.id, kept.id]],
  )
  expect(rows).toEqual([
    { id: run.id, status: 'cancelled' },
    { id: kept.id, status: 'completed' },
  ])
})

test('an owner is removed by an owner alone, and nobody removes themselves', async () => {
  const { owner, join } = await team()
  const admin = await join('ADMIN')
  const remove = (by: GivenUser, id: number) =>
    ask('POST', `/api/members/${id}/remove`, { ...as(by), body: {} })
  expect((await remove(admin, owner.id)).body.detail).toContain('Only an owner removes an owner.')
  expect((await remove(owner, owner.id)).body.detail).toContain('Leave the organization in its settings')
  expect(await roleOf(owner)).toBe('OWNER')
})

test('personal API keys end with their owner, and those of the organization as was chosen', async () => {
  const { owner, join } = await team()
  const leaver = await join('ADMIN')
  const makeKey = async (name: string, isPersonal: boolean) => {
    const body = { name, isPersonal, permissions: ['secrets.read'] }
    return (await ask('POST', '/api/api-keys', { ...as(leaver), body })).body.token as string
  }
  const personal = await makeKey('own', true)
  const shared = await makeKey('deploy', false)
  const list = (token: string) => ask('GET', '/api/secrets', { token })
  expect([(await list(personal)).status, (await list(shared)).status]).toEqual([200, 200])
  const leave = await ask('POST', '/api/organization/leave', { token: personal })
  expect([leave.status, leave.body.code]).toEqual([403, 'forbidden'])

  const path = `/api/members/${leaver.id}`
  const { belongings } = (await ask('GET', `${path}/belongings`, as(owner))).body
  expect(belongings).toMatchObject([
    { kind: 'api_keys', total: 1, choices: ['end'] },
    { kind: 'organization_keys', total: 1, choices: ['keep', 'transfer', 'end'] },
  ])
  const body = { choices: { organization_keys: 'transfer' }, transferTo: owner.id }
  expect((await ask('POST', `${path}/remove`, { ...as(owner), body })).status).toBe(200)
  expect([(await list(personal)).status, (await list(shared)).status]).toEqual([401, 200])
})
