import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const app = await testApp()
const { given, ask } = app

const body = (user: GivenUser, values: object = {}) => ({
  userId: user.id,
  componentName: 'Table',
  xpath: '//*[@id="main"]/div[1]',
  annotationText: '  The columns jump.  ',
  url: '/workflows?status=failed',
  viewport: { width: 1440, height: 900 },
  elementRect: { top: 10.5, left: -3, width: 200, height: 0 },
  ...values,
})

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })

async function create(user: GivenUser, values: object = {}) {
  return ask('POST', '/api/annotations', { ...as(user), body: body(user, values) })
}

async function list(user: GivenUser, query = '') {
  return (await ask('GET', `/api/annotations${query}`, as(user))).body
}

const texts = (reply: { annotations: { annotationText: string }[] }) =>
  reply.annotations.map((note) => note.annotationText)

async function audited(organizationId: number): Promise<string[]> {
  const { rows } = await app.database.ownerPool.query<{ action: string }>(
    `select action from audit_entries where organization_id = $1 order by seq`,
    [organizationId],
  )
  return rows.map((row) => row.action)
}

test('a note is kept as it was sent, its text trimmed, its page as a path', async () => {
  const user = await given.user({ role: 'ADMIN', name: 'Grace' })
  const reply = await create(user, { url: `${app.url}/workflows?status=failed#top`, selectedText: 'jump' })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    userId: user.id,
    createdBy: { type: 'user', id: String(user.id), name: 'Grace', email: user.email },
    componentName: 'Table',
    xpath: '//*[@id="main"]/div[1]',
    selectedText: 'jump',
    annotationText: 'The columns jump.',
    url: '/workflows?status=failed',
    viewport: { width: 1440, height: 900 },
    elementRect: { top: 10.5, left: -3, width: 200, height: 0 },
    status: 'open',
    resolvedAt: null,
    resolvedBy: null,
    replyCount: 0,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await audited(user.organizationId)).toEqual(['annotation.create'])
})

test('nobody writes under another’s id', async () => {
  const [user, other] = [await given.user(), await given.user()]
  const reply = await create(user, { userId: other.id })
  expect([reply.status, reply.body.code, reply.body.errors[0].path]).toEqual([
    400,
    'invalid_request',
    'userId',
  ])
  expect((await list(user)).total).toBe(0)
})

test.each([
  'https://elsewhere.example/workflows',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/.//elsewhere.example',
  'javascript:alert(1)',
  'workflows',
  '/a\nb',
  '/with a blank',
  `/${'ü'.repeat(1500)}`,
  `http://user:secret@127.0.0.1/`,
])('%j is not a page of this console', async (url) => {
  const user = await given.user()
  const reply = await create(user, { url })
  expect([reply.status, reply.body.errors[0].path]).toEqual([400, 'url'])
})

test.each<[string, object]>([
  ['annotationText', { annotationText: '  \n ' }],
  ['annotationText', { annotationText: 'x'.repeat(5001) }],
  ['annotationText', { annotationText: { text: 'x' } }],
  ['annotationText', { annotationText: 'a\u0000b' }],
  ['componentName', { componentName: 'x'.repeat(601) }],
  ['componentName', { componentName: '' }],
  ['xpath', { xpath: 'javascript:alert(1)' }],
  ['xpath', { xpath: '/a\nb' }],
  ['xpath', { xpath: Array.from({ length: 201 }, () => '/a').join('\n') }],
  ['xpath', { xpath: `/${'x'.repeat(2000)}` }],
  ['selectedText', { selectedText: 'x'.repeat(5001) }],
  ['selectedText', { selectedText: null }],
  ['viewport.width', { viewport: { width: 0, height: 1 } }],
  ['viewport.depth', { viewport: { width: 1, height: 1, depth: 1 } }],
  ['elementRect.width', { elementRect: { top: 0, left: 0, width: -1, height: 1 } }],
  ['elementRect.top', { elementRect: { top: '0', left: 0, width: 1, height: 1 } }],
  ['status', { status: 'resolved' }],
  ['userId', { userId: '1' }],
])('%s out of bounds is refused by name', async (path, values) => {
  const user = await given.user()
  const reply = await create(user, values)
  expect([reply.status, reply.body.errors?.[0]?.path]).toEqual([400, path])
})

test('the longest that is allowed can be kept and found', async () => {
  const user = await given.user()
  const componentName = '名'.repeat(600)
  const reply = await create(user, {
    componentName,
    annotationText: '𝄞'.repeat(2500),
    url: `/${'x'.repeat(1999)}`,
  })
  expect(reply.status, reply.text).toBe(201)
  expect((await list(user, `?sort=componentName&componentName=${encodeURIComponent('名名')}`)).total).toBe(1)
})

test('the list is filtered by author, page, component, status and text', async () => {
  const user = await given.user()
  const { organizationId } = user
  const other = await given.user({ organizationId, role: 'ADMIN' })
  const note = (values: object) => given.annotation({ organizationId, userId: user.id, ...values })
  await note({
    annotationText: 'one',
    url: '/workflows',
    componentName: 'Area Selection (2 elements): A, Row',
  })
  await note({ annotationText: 'two', url: '/workflows?status=failed', status: 'resolved' })
  await note({ annotationText: 'three_%', url: '/secrets', userId: other.id })

  expect(texts(await list(user))).toEqual(['three_%', 'two', 'one'])
  expect(texts(await list(user, '?order=asc'))).toEqual(['one', 'two', 'three_%'])
  expect(texts(await list(user, `?userId=${other.id}`))).toEqual(['three_%'])
  expect(texts(await list(user, '?url=/workflows'))).toEqual(['two', 'one'])
  expect(texts(await list(user, `?url=${encodeURIComponent('/workflows?status=failed')}`))).toEqual(['two'])
  expect(texts(await list(user, `?url=${encodeURIComponent(`${app.url}/secrets`)}`))).toEqual(['three_%'])
  expect(texts(await list(user, '?componentName=row'))).toEqual(['one'])
  expect(texts(await list(user, '?status=open'))).toEqual(['three_%', 'one'])
  expect(texts(await list(user, '?search=_%25'))).toEqual(['three_%'])
  expect(texts(await list(user, '?sort=url'))).toEqual(['three_%', 'one', 'two'])
  const second = await list(user, '?limit=2&page=2')
  expect([second.total, second.page, second.limit, texts(second)]).toEqual([3, 2, 2, ['one']])

  for (const wrong of ['url=//elsewhere', 'status=done', 'userId=x', 'sort=xpath', 'limit=201']) {
    expect((await ask('GET', `/api/annotations?${wrong}`, as(user))).status, wrong).toBe(400)
  }
  expect((await ask('GET', '/api/annotations/places', as(user))).body).toEqual({
    pages: [
      { path: '/workflows', count: 2 },
      { path: '/secrets', count: 1 },
    ],
    components: [
      { name: 'Table', count: 2 },
      { name: 'Area Selection (2 elements): A, Row', count: 1 },
    ],
  })
})

test('replies stand under the note in their order, and its count follows', async () => {
  const [owner] = [await given.user({ name: 'Ada' })]
  const colleague = await given.user({ organizationId: owner.organizationId, role: 'ADMIN', name: 'Grace' })
  const { id } = (await create(owner)).body
  await ask('POST', `/api/annotations/${id}/replies`, { ...as(colleague), body: { text: ' Which? ' } })
  const reply = await ask('POST', `/api/annotations/${id}/replies`, { ...as(owner), body: { text: 'All.' } })
  expect(reply.status).toBe(201)
  expect(reply.body.replyCount).toBe(2)
  const said = reply.body.replies.map((each: { text: string; createdBy: { name: string } }) => [
    each.createdBy.name,
    each.text,
  ])
  expect(said).toEqual([
    ['Grace', 'Which?'],
    ['Ada', 'All.'],
  ])
  expect((await list(owner)).annotations[0].replyCount).toBe(2)
  for (const wrong of [{ text: ' ' }, { text: 'x'.repeat(2001) }, {}, { text: 'x', userId: owner.id }]) {
    const refused = await ask('POST', `/api/annotations/${id}/replies`, { ...as(owner), body: wrong })
    expect(refused.status).toBe(400)
  }
  expect(await audited(owner.organizationId)).toEqual([
    'annotation.create',
    'annotation.reply',
    'annotation.reply',
  ])
})

test('the hundredth reply is the last, even when many come at once', async () => {
  const user = await given.user()
  const { id } = await given.annotation({ organizationId: user.organizationId, replyCount: 98 })
  const replies = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      ask('POST', `/api/annotations/${id}/replies`, { ...as(user), body: { text: `n${n}` } }),
    ),
  )
  expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([201, 201, 422, 422])
})

test('only the author changes the text; anyone who may update resolves and reopens', async () => {
  const author = await given.user({ name: 'Ada' })
  const colleague = await given.user({ organizationId: author.organizationId, role: 'ADMIN', name: 'Grace' })
  const { id } = (await create(author)).body
  const patch = (user: GivenUser, change: unknown) =>
    ask('PATCH', `/api/annotations/${id}`, { ...as(user), body: change })

  const refused = await patch(colleague, { annotationText: 'Mine now.', status: 'resolved' })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  expect((await ask('GET', `/api/annotations/${id}`, as(author))).body).toMatchObject({
    annotationText: 'The columns jump.',
    status: 'open',
  })

  const resolved = (await patch(colleague, { status: 'resolved' })).body
  expect(resolved).toMatchObject({ status: 'resolved', resolvedBy: { name: 'Grace' }, replies: [] })
  expect(resolved.resolvedAt).toEqual(expect.any(String))
  // The same again changes nothing: who resolved it first stays.
  expect((await patch(author, { status: 'resolved' })).body.resolvedBy.name).toBe('Grace')
  expect((await patch(author, { status: 'open' })).body).toMatchObject({ resolvedAt: null, resolvedBy: null })
  expect((await patch(author, { annotationText: ' Columns. ' })).body.annotationText).toBe('Columns.')
  expect(await audited(author.organizationId)).toEqual([
    'annotation.create',
    'annotation.update',
    'annotation.update',
    'annotation.update',
  ])
  for (const wrong of [{}, { status: 'done' }, { xpath: '/a' }, { annotationText: '' }, [], null]) {
    expect((await patch(author, wrong)).status).toBe(400)
  }
})

test('a deleted note is gone with its replies, and the trail remembers what it said', async () => {
  const user = await given.user()
  const { id } = (await create(user)).body
  await ask('POST', `/api/annotations/${id}/replies`, { ...as(user), body: { text: 'Seen.' } })
  expect((await ask('DELETE', `/api/annotations/${id}`, as(user))).status).toBe(204)
  expect((await ask('GET', `/api/annotations/${id}`, as(user))).status).toBe(404)
  expect((await ask('DELETE', `/api/annotations/${id}`, as(user))).status).toBe(404)
  const left = await app.database.ownerPool.query(
    'select 1 from annotation_replies where annotation_id = $1',
    [id],
  )
  expect(left.rowCount).toBe(0)
  const { rows } = await app.database.ownerPool.query<{ diff: object }>(
    `select diff from audit_entries where organization_id = $1 and action = 'annotation.delete'`,
    [user.organizationId],
  )
  expect(rows[0]?.diff).toMatchObject({ annotationText: 'The columns jump.', replies: 1 })
})

test('another organization can neither read, answer, change nor delete a note', async () => {
  const [mine, stranger] = [await given.user(), await given.user()]
  const { id } = (await create(mine)).body
  const calls: [string, string, unknown?][] = [
    ['GET', `/api/annotations/${id}`],
    ['POST', `/api/annotations/${id}/replies`, { text: 'Hello.' }],
    ['PATCH', `/api/annotations/${id}`, { status: 'resolved' }],
    ['DELETE', `/api/annotations/${id}`],
  ]
  for (const [method, path, sent] of calls) {
    const reply = await ask(method, path, { ...as(stranger), body: sent })
    expect([method, reply.status, reply.body.code]).toEqual([method, 404, 'not_found'])
  }
  expect((await list(stranger)).total).toBe(0)
  expect((await ask('POST', '/api/annotations/export', as(stranger))).body.annotations).toEqual([])
  expect((await ask('GET', `/api/annotations/${id}`, as(mine))).body).toMatchObject({
    status: 'open',
    replyCount: 0,
  })
  expect((await ask('GET', '/api/annotations/not-an-id', as(mine))).status).toBe(400)
})

test.each(['MEMBER', 'VIEWER'] as const)(
  '%s may not annotate, and reads what was annotated',
  async (role) => {
    const owner = await given.user()
    const user = await given.user({ organizationId: owner.organizationId, role })
    const { id } = (await create(owner)).body
    expect((await create(user)).status).toBe(403)
    expect((await ask('GET', '/api/annotations', as(user))).body.annotations).toMatchObject([{ id }])
    expect((await ask('GET', `/api/annotations/${id}`, as(user))).status).toBe(200)
    expect((await ask('POST', '/api/annotations/export', as(user))).body.annotations).toMatchObject([{ id }])
    expect((await ask('DELETE', `/api/annotations/${id}`, as(user))).status).toBe(403)
  },
)

test('the organization’s last note is the limit’s', async () => {
  const user = await given.user()
  await app.database.ownerPool.query(
    `insert into annotations (id, organization_id, component_name, xpath, annotation_text, url, viewport, element_rect)
     select gen_random_uuid(), $1, 'Table', '/a', 'x', '/', '{}', '{}' from generate_series(1, 9999)`,
    [user.organizationId],
  )
  const replies = await Promise.all([create(user), create(user), create(user)])
  expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([201, 422, 422])
})

test('an export takes no body and has the filters of the list, as JSON or as Markdown', async () => {
  const user = await given.user({ name: 'Ada' })
  const { id } = (await create(user, { selectedText: 'jump' })).body
  await ask('POST', `/api/annotations/${id}/replies`, { ...as(user), body: { text: 'One\n# two' } })
  await create(user, { annotationText: 'Elsewhere.', url: '/secrets' })

  const json = await ask('POST', '/api/annotations/export?url=/workflows', as(user))
  expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(json.headers.get('content-disposition')).toMatch(
    /^attachment; filename="annotations-\d{4}-\d\d-\d\d\.json"$/,
  )
  expect(json.body.annotations).toHaveLength(1)
  expect(json.body.annotations[0]).toMatchObject({ id, replies: [{ text: 'One\n# two' }] })

  const markdown = await ask('POST', '/api/annotations/export?format=markdown', as(user))
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(markdown.text).toContain('2 annotations, exported ')
  expect(markdown.text).toContain('- Page: `/workflows?status=failed`')
  expect(markdown.text).toContain('> The columns jump.')
  expect(markdown.text).toContain('> One\n> \\# two')

  const withBody = await ask('POST', '/api/annotations/export', { ...as(user), body: { all: true } })
  expect(withBody.status).toBe(400)
  expect(await audited(user.organizationId)).toContain('annotation.export')
})

test('what is too much for one file is refused with the way out', async () => {
  const user = await given.user()
  await app.database.ownerPool.query(
    `insert into annotations (id, organization_id, component_name, xpath, annotation_text, url, viewport, element_rect)
     select gen_random_uuid(), $1, 'Table', '/a', repeat('x', 5000), '/', '{}', '{}' from generate_series(1, 2200)`,
    [user.organizationId],
  )
  const reply = await ask('POST', '/api/annotations/export', as(user))
  expect([reply.status, reply.body.code]).toEqual([422, 'limit_reached'])
})
