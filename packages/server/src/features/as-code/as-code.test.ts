import { expect, test } from 'vitest'
import type { AsCodeChange, AsCodeDocument } from '@bey/contract'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const { ask, given } = await testApp()

const value = 'a value that no file holds'
const step = { key: 'wait_a_bit', name: 'Wait', type: 'wait', config: { duration_ms: 1_000 } }

/** One of each kind that a file can create. */
const oneOfEach: AsCodeDocument[] = [
  {
    kind: 'workflow',
    name: 'deploy-search',
    spec: { description: 'Deploys the search', tags: ['search'], steps: [step] },
  },
  {
    kind: 'secret',
    name: 'orders-db',
    spec: { description: 'Password of the orders', type: 'password', labels: { team: 'shop' } },
  },
  {
    kind: 'network',
    name: 'prod',
    spec: {
      description: ' The production ',
      cidr: '10.20.0.0/16',
      subnets: [{ name: 'web', cidr: '10.20.1.0/24' }],
      attachments: [],
    },
  },
  {
    kind: 'alert',
    name: 'api errors',
    spec: {
      expr: 'sum(rate(bey_api_errors_total[5m]))',
      condition: { kind: 'threshold', direction: 'above', limit: 5 },
      forMs: 300_000,
      severity: 'critical',
    },
  },
  {
    kind: 'board',
    name: 'Shop',
    spec: {
      description: 'What the shop does',
      definition: { panels: [], variables: [], range: '24h', compare: 'week' },
    },
  },
  {
    kind: 'webhook',
    name: 'chat',
    spec: { url: 'https://example.com/hooks/bey', events: ['network.updated'], isOrdered: true },
  },
  {
    kind: 'budget',
    name: 'All of it',
    spec: { amount: '7200.50', currency: 'EUR', scope: { by: 'all', key: '' }, action: 'notify' },
  },
  {
    kind: 'api-key',
    name: 'ci',
    spec: { permissions: ['clusters.read', 'workflows.read'], requestsPerMinute: 60 },
  },
]

const post = ({ token, organizationId }: GivenUser, path: string, body: unknown) =>
  ask('POST', `/api/as-code/${path}`, { token, organizationId, body })

async function planOf(user: GivenUser, documents: unknown[], options: object = {}): Promise<AsCodeChange[]> {
  const { status, body } = await post(user, 'plan', { documents, ...options })
  expect([status, body.problems]).toEqual([200, []])
  return body.changes
}

async function applyAll(
  user: GivenUser,
  documents: AsCodeDocument[],
  options: { label?: string; prune?: boolean } = {},
) {
  const replies = []
  for (const change of await planOf(user, documents, options)) {
    const { action, kind, name, revision } = change
    if (action === 'none') continue
    const spec = documents.find((each) => each.kind === kind && each.name === name)?.spec ?? {}
    const { label } = options
    replies.push(
      await post(user, 'apply', {
        action,
        kind,
        name,
        spec,
        revision,
        ...(label !== undefined && { label }),
        ...(change.needs !== null && { given: value }),
      }),
    )
  }
  return replies
}

const actions = (changes: AsCodeChange[]) =>
  changes.map(({ kind, name, action }) => `${action} ${kind} ${name}`)

test('one of each kind is created, and a second apply finds nothing to do', async () => {
  const user = await given.user({ role: 'OWNER' })
  const replies = await applyAll(user, oneOfEach)
  expect(replies.map(({ status, body }) => [status, body.detail])).toEqual(
    oneOfEach.map(() => [200, undefined]),
  )
  expect(replies.flatMap(({ body }) => (body.shownOnce ? [body.shownOnce.name] : []))).toEqual([
    'secret',
    'token',
  ])
  const again = await planOf(user, oneOfEach)
  expect(again.flatMap(({ kind, differences }) => differences.map((each) => [kind, each]))).toEqual([])
  expect(new Set(again.map(({ action }) => action))).toEqual(new Set(['none']))

  // What is exported is what was written, holds no value, and changes nothing when it is applied.
  const exported: AsCodeDocument[] = []
  for (const { kind, name } of oneOfEach) {
    const { token, organizationId } = user
    const reply = await ask('GET', `/api/as-code/export?kind=${kind}`, { token, organizationId })
    expect(reply.text).not.toContain(value)
    expect(reply.body.documents.map((each: AsCodeDocument) => each.name)).toContain(name)
    exported.push(...reply.body.documents)
  }
  expect(new Set((await planOf(user, exported)).map(({ action }) => action))).toEqual(new Set(['none']))
})

test('a field that differs is changed alone, and the plan says what it was', async () => {
  const user = await given.user({ role: 'OWNER' })
  const [, , , alert, board] = oneOfEach
  if (!alert || !board) throw new Error('missing')
  await applyAll(user, [alert, board])
  const louder = { ...alert, spec: { severity: 'warning' } }
  const [change] = await planOf(user, [louder])
  expect(change).toMatchObject({
    action: 'update',
    differences: [{ path: 'spec.severity', before: 'critical', after: 'warning' }],
  })
  expect((await applyAll(user, [louder])).map(({ status }) => status)).toEqual([200])
  const left = await planOf(user, [{ ...alert, spec: { ...alert.spec, severity: 'warning' } }, board])
  expect(left.map(({ action }) => action)).toEqual(['none', 'none'])
})

test.each([
  [{ cidr: '10.0.0.0/33' }, 'spec.cidr', 'The length after the slash is a number from 0 to 32 for IPv4.'],
  [{ cidr: '10.0.0.0 /8' }, 'spec.cidr', 'Write the range without spaces, as in 10.42.0.0/16.'],
  [{ cidr: '8.8.8.0/24' }, 'spec.cidr', '8.8.8.0/24 has public addresses'],
  [{ cidr: '10.0.0.0/31' }, 'spec.cidr', '10.0.0.0/31 is too small for a network'],
  [{ cidr: 5 }, 'spec.cidr', 'Send a text.'],
  [{}, 'spec.cidr', 'This field is required.'],
  [
    { cidr: '10.0.0.0/16', subnets: [{ name: 'a', cidr: '10.1.0.0/24' }] },
    'spec.subnets.0.cidr',
    '10.1.0.0/24 does not lie within the network (10.0.0.0/16).',
  ],
])(
  'a network of %o is refused in the plan, before anything of its set is applied',
  async (spec, path, message) => {
    const { token, organizationId } = await given.user({ role: 'OWNER' })
    const body = { documents: [{ kind: 'network', name: 'office', spec }] }
    const reply = await ask('POST', '/api/as-code/plan', { token, organizationId, body })
    expect(reply.body).toMatchObject({
      changes: [],
      problems: [{ document: 0, path, message: expect.stringContaining(message) }],
    })
  },
)

test('one bad document among fifty: every error is listed, and there is nothing to apply', async () => {
  const user = await given.user({ role: 'OWNER' })
  const good = Array.from({ length: 46 }, (_, index) => ({ kind: 'board', name: `board ${index}`, spec: {} }))
  const bad = [
    { kind: 'bord', name: 'misspelt' },
    { kind: 'alert', name: 'no rule', spec: { severity: 'loud', colour: 'red' } },
    { kind: 'secret', name: 'leaky', spec: { value: 'hunter2' } },
    { kind: 'board', name: 'board 0', spec: {} },
  ]
  const { status, body } = await post(user, 'plan', { documents: [...good, ...bad] })
  expect([status, body.changes]).toEqual([200, []])
  const found = body.problems.map(
    ({ document, path }: { document: number; path: string }) => `${document} ${path}`,
  )
  expect(found).toEqual(
    expect.arrayContaining([
      '46 kind',
      '47 spec.severity',
      '47 spec.colour',
      '47 spec.expr',
      '48 spec.value',
      '49 name',
    ]),
  )
  expect(JSON.stringify(body.problems)).not.toContain('hunter2')
})

test('what changed between plan and apply is left as it is', async () => {
  const user = await given.user({ role: 'OWNER' })
  const mine = {
    kind: 'webhook',
    name: 'chat',
    spec: { url: 'https://example.com/a', events: ['network.updated'] },
  }
  await applyAll(user, [mine])
  const wanted = { ...mine, spec: { ...mine.spec, url: 'https://example.com/b' } }
  const [change] = await planOf(user, [wanted])
  await applyAll(user, [{ ...mine, spec: { ...mine.spec, url: 'https://example.com/other' } }])
  const late = await post(user, 'apply', { ...wanted, action: 'update', revision: change?.revision })
  expect([late.status, late.body.code]).toEqual([409, 'conflict'])
  expect(late.body.detail).toContain('was changed since the plan was made')
  const [left] = await planOf(user, [wanted])
  expect(left?.differences[0]?.before).toBe('https://example.com/other')
  const twice = await post(user, 'apply', {
    kind: 'webhook',
    name: 'chat',
    spec: mine.spec,
    action: 'create',
    revision: 'absent',
  })
  expect(twice.status).toBe(409)
})

test('a label marks what was applied, and prune deletes what has it and is in no document', async () => {
  const user = await given.user({ role: 'OWNER' })
  const hook = (name: string) => ({
    kind: 'webhook',
    name,
    spec: { url: `https://example.com/${name}`, events: ['network.updated'] },
  })
  await applyAll(user, [hook('by-hand')])
  const label = 'set=shop'
  await applyAll(user, [hook('one'), hook('two')], { label })
  expect(actions(await planOf(user, [hook('one')], { label, prune: true }))).toEqual([
    'none webhook one',
    'delete webhook two',
  ])
  expect((await applyAll(user, [hook('one')], { label, prune: true })).map(({ status }) => status)).toEqual([
    200,
  ])
  const { token, organizationId } = user
  const { body } = await ask('GET', '/api/webhooks', { token, organizationId })
  expect(body.webhooks.map(({ name }: { name: string }) => name).toSorted()).toEqual(['by-hand', 'one'])
  // Also where the files have none of the kind any more.
  const board = { kind: 'board', name: 'Shop', spec: {} }
  expect(actions(await planOf(user, [board], { label, prune: true }))).toEqual([
    'create board Shop',
    'delete webhook one',
  ])
  // What was there before the label joins the set without another change.
  expect(actions(await planOf(user, [hook('by-hand')], { label }))).toEqual(['label webhook by-hand'])
})

test('alerts, boards and budgets have labels and are pruned too, and no others with them', async () => {
  const user = await given.user({ role: 'OWNER' })
  const label = 'set=shop'
  const marked = oneOfEach.filter(({ kind }) => ['alert', 'board', 'budget'].includes(kind))
  const byHand = { kind: 'board', name: 'By hand', spec: {} }
  await applyAll(user, [byHand])
  await applyAll(user, marked, { label })
  const again = await planOf(user, marked, { label, prune: true })
  expect(new Set(again.map(({ action }) => action))).toEqual(new Set(['none']))
  // The label of another set is none of this one.
  expect(actions(await planOf(user, [byHand], { label: 'set=other', prune: true }))).toEqual([
    'label board By hand',
  ])
  const pruned = await applyAll(user, [byHand], { label, prune: true })
  expect(pruned.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const left = await planOf(user, [byHand, ...marked], { label, prune: true })
  expect(actions(left)).toEqual([
    'none board By hand',
    ...marked.map(({ kind, name }) => `create ${kind} ${name}`),
  ])
  const { organizationId } = user
  const viewer = await given.user({ organizationId, role: 'VIEWER' })
  const [{ revision } = { revision: '' }] = left
  const change = { ...byHand, action: 'label', revision, label: 'set=mine' }
  expect((await post(viewer, 'apply', change)).body.code).toBe('forbidden')
})

test('every change needs the right of its own kind, and what another organization has does not exist', async () => {
  const owner = await given.user({ role: 'OWNER' })
  await applyAll(owner, [{ kind: 'board', name: 'Theirs', spec: {} }])
  const viewer = await given.user({ organizationId: owner.organizationId, role: 'VIEWER' })
  const change = { kind: 'board', name: 'Mine', spec: {}, action: 'create', revision: 'absent' }
  expect((await post(viewer, 'apply', change)).body.code).toBe('forbidden')
  const stranger = await given.user({ role: 'OWNER' })
  const [theirs] = await planOf(stranger, [{ kind: 'board', name: 'Theirs', spec: {} }])
  expect(theirs?.action).toBe('create')
  const { token } = stranger
  const foreign = await ask('POST', '/api/as-code/plan', {
    token,
    organizationId: owner.organizationId,
    body: { documents: [{ kind: 'board', name: 'Theirs', spec: {} }] },
  })
  expect(foreign.status).toBe(404)
})
