import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given } = await testApp()
const admin = await given.user({ role: 'ADMIN' })
const { organizationId } = admin
const member = await given.user({ role: 'MEMBER', organizationId })
const stranger = await given.user({ role: 'OWNER' })
const as = (user: typeof admin) => ({ token: user.token, organizationId: user.organizationId })
const cluster = await given.cluster({ organizationId, title: 'prod-eu-1' })
await given.cluster({ organizationId, title: 'prod-us-1' })
const path = `/api/kubernetes/clusters/${cluster.id}`

test('an admin changes name, description and labels, and what each was before is in the audit trail', async () => {
  const body = { title: 'prod-eu-2', description: 'Checkout in Europe', labels: { team: 'web', stage: '' } }
  const reply = await ask('PATCH', path, { ...as(admin), body })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({ ...body, name: 'prod-eu-2' })
  expect((await ask('GET', path, as(member))).body).toMatchObject(body)
  const listed = await ask('GET', '/api/kubernetes/clusters?search=prod-eu', as(member))
  expect(listed.body.clusters).toMatchObject([body])
  const trail = await ask('GET', '/api/audit?action=cluster.update', as(admin))
  const entry = await ask('GET', `/api/audit/${trail.body.entries[0].id}`, as(admin))
  expect(entry.body.diff).toMatchObject({ title: { from: 'prod-eu-1', to: 'prod-eu-2' } })
})

test('what is left out of a change stays', async () => {
  const { body } = await ask('PATCH', path, { ...as(admin), body: { description: 'Ours' } })
  expect(body).toMatchObject({ title: 'prod-eu-2', description: 'Ours', labels: { team: 'web', stage: '' } })
})

test('a taken name is refused at its field, and nothing of the change is kept', async () => {
  const change = { title: 'PROD-us-1'.toLowerCase(), description: 'Lost' }
  const reply = await ask('PATCH', path, { ...as(admin), body: change })
  expect(reply.status).toBe(409)
  expect(reply.body).toMatchObject({
    code: 'name_taken',
    detail: 'A cluster named "prod-us-1" already exists. Choose another name.',
    errors: [{ path: 'title' }],
  })
  expect((await ask('GET', path, as(admin))).body.description).toBe('Ours')
})

test('names and labels that nobody can use are refused with the rule', async () => {
  for (const body of [
    { title: 'Prod EU' },
    { title: '' },
    { labels: { 'no spaces': 'x' } },
    { labels: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`l${at}`, ''])) },
    { description: 'x'.repeat(501) },
    { region: 'mars' },
  ]) {
    const reply = await ask('PATCH', path, { ...as(admin), body })
    expect([reply.status, reply.body.code], JSON.stringify(body).slice(0, 60)).toEqual([
      400,
      'invalid_request',
    ])
  }
})

test('only who manages clusters changes them, and only those of their organization', async () => {
  expect((await ask('PATCH', path, { ...as(member), body: { description: 'Mine' } })).status).toBe(403)
  expect((await ask('PATCH', path, { ...as(stranger), body: { description: 'Mine' } })).status).toBe(404)
  const gone = await given.cluster({
    organizationId,
    title: 'gone',
    status: 'DELETED',
    deletedAt: new Date(),
  })
  const reply = await ask('PATCH', `/api/kubernetes/clusters/${gone.id}`, {
    ...as(admin),
    body: { description: 'Late' },
  })
  expect(reply.status).toBe(409)
  expect(reply.body.detail).toBe('The cluster "gone" is deleted; it keeps what it was called.')
})
