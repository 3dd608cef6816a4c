import type { BoardDefinition, BoardPanel } from '@bey/contract'
import { clusterMetrics } from '@bey/contract'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { realClock } from '../../platform/clock.ts'
import { openMetrics } from '../../platform/metrics/metrics.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const app = await testApp()
const { given } = app

const asked = (user: GivenUser) => async (method: string, path: string, body?: object) => {
  const { token, organizationId } = user
  return app.ask(method, `/api/boards${path}`, { token, organizationId, ...(body && { body }) })
}

const names = (reply: { body: { boards: { name: string }[] } }) => reply.body.boards.map(({ name }) => name)

const panel = (id: string, expr: string): BoardPanel => ({
  id,
  kind: 'series',
  title: id,
  x: 0,
  y: 0,
  width: 4,
  height: 3,
  queries: [{ expr, legend: '' }],
  unit: 'auto',
  thresholds: { warn: null, danger: null },
  text: '',
})
const definition = (...panels: BoardPanel[]): BoardDefinition => ({
  panels,
  variables: ['cluster'],
  range: '24h',
  compare: 'week',
})

test('a board is created, found, changed and deleted, and the trail says each', async () => {
  const user = await given.user({ role: 'MEMBER', name: 'Grace' })
  const ask = asked(user)
  const made = await ask('POST', '', { name: 'first', description: 'One' })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ name: 'first', version: 1, createdBy: { name: 'Grace' } })
  await ask('POST', '', { name: 'second' })
  expect(names(await ask('GET', ''))).toEqual(['second', 'first'])
  expect(names(await ask('GET', '?sort=name'))).toEqual(['first', 'second'])
  expect(names(await ask('GET', '?search=IRS'))).toEqual(['first'])

  const changed = await ask('PATCH', `/${made.body.id}`, { definition: definition(panel('p1', 'nodes')) })
  expect(changed.body).toMatchObject({ name: 'first', version: 2, definition: { panels: [{ id: 'p1' }] } })
  expect((await ask('DELETE', `/${made.body.id}`)).status).toBe(204)
  expect((await ask('GET', `/${made.body.id}`)).status).toBe(404)
  const { rows } = await app.database.ownerPool.query<{ action: string }>(
    `select action from audit_entries where organization_id = $1 and starts_with(action, 'board.')
     order by seq`,
    [user.organizationId],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'board.create',
    'board.create',
    'board.update',
    'board.delete',
  ])
})

test('a name is taken once, whatever its case, and free in another organization', async () => {
  const ask = asked(await given.user({ role: 'MEMBER' }))
  await ask('POST', '', { name: 'first' })
  const taken = await ask('POST', '', { name: 'First' })
  expect([taken.status, taken.body.code]).toEqual([409, 'name_taken'])
  const elsewhere = asked(await given.user({ role: 'MEMBER' }))
  expect((await elsewhere('POST', '', { name: 'first' })).status).toBe(201)
})

test('a change of an older version is refused with the name of who saved the newer one', async () => {
  const grace = await given.user({ role: 'MEMBER', name: 'Grace' })
  const ada = await given.user({ role: 'MEMBER', name: 'Ada', organizationId: grace.organizationId })
  const { body: board } = await asked(grace)('POST', '', { name: 'fleet' })
  await asked(ada)('PATCH', `/${board.id}`, { version: 1, name: 'fleets' })
  const late = await asked(grace)('PATCH', `/${board.id}`, { version: 1, name: 'mine' })
  expect([late.status, late.body.code]).toEqual([409, 'conflict'])
  expect(late.body.detail).toContain('Ada saved version 2')
  expect((await asked(grace)('GET', `/${board.id}`)).body.name).toBe('fleets')
})

test('a private board is not there for others, neither in lists nor in the palette nor by its name', async () => {
  const grace = await given.user({ role: 'MEMBER' })
  const ada = await given.user({ role: 'OWNER', organizationId: grace.organizationId })
  const { body: board } = await asked(grace)('POST', '', { name: 'hidden', visibility: 'private' })
  const other = asked(ada)
  for (const [method, path, body] of [
    ['GET', `/${board.id}`],
    ['GET', `/${board.id}/versions`],
    ['GET', `/${board.id}/export`],
    ['GET', `/${board.id}/reading`],
    ['PATCH', `/${board.id}`, { name: 'x' }],
    ['DELETE', `/${board.id}`],
    ['POST', `/${board.id}/restore`, { version: 1 }],
  ] as const) {
    expect((await other(method, path, body)).status, `${method} ${path}`).toBe(404)
  }
  expect(names(await other('GET', ''))).toEqual([])
  expect((await other('POST', '', { name: 'hidden' })).status).toBe(201)
  const found = await app.ask('GET', '/api/palette?search=hidd', {
    token: grace.token,
    organizationId: grace.organizationId,
  })
  expect(found.body.items).toHaveLength(1)
  expect(found.body.items[0].id).not.toBe(board.id)
  expect(names(await asked(grace)('GET', ''))).toContain('hidden')
})

test('private boards of a removed member are handed over under a free name, or deleted; shared ones stay', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const join = () => given.user({ organizationId, role: 'MEMBER' })
  const [leaver, other] = [await join(), await join()]
  const make = (user: GivenUser, name: string, visibility: string) =>
    asked(user)('POST', '', { name, visibility })
  await make(owner, 'mine', 'private')
  await make(leaver, 'mine', 'private')
  await make(leaver, 'ours', 'organization')
  await make(other, 'gone', 'private')
  const remove = (user: GivenUser, body: object) =>
    app.ask('POST', `/api/members/${user.id}/remove`, { token: owner.token, organizationId, body })
  expect(
    (await remove(leaver, { choices: { private_boards: 'transfer' }, transferTo: owner.id })).status,
  ).toBe(200)
  expect((await remove(other, {})).status).toBe(200)
  expect(names(await asked(owner)('GET', '')).toSorted()).toEqual(['mine', 'mine 2', 'ours'])
  const { rows } = await app.database.ownerPool.query(
    'select name from boards where organization_id = $1 order by name',
    [organizationId],
  )
  expect(rows.map(({ name }) => name)).toEqual(['mine', 'mine 2', 'ours'])
})

test('only who created a board makes it private', async () => {
  const grace = await given.user({ role: 'MEMBER' })
  const ada = await given.user({ role: 'OWNER', organizationId: grace.organizationId })
  const { body: board } = await asked(grace)('POST', '', { name: 'shared' })
  expect((await asked(ada)('PATCH', `/${board.id}`, { visibility: 'private' })).status).toBe(403)
  expect((await asked(grace)('PATCH', `/${board.id}`, { visibility: 'private' })).status).toBe(200)
})

test('a viewer reads boards and changes none', async () => {
  const grace = await given.user({ role: 'MEMBER' })
  const viewer = asked(await given.user({ role: 'VIEWER', organizationId: grace.organizationId }))
  const { body: board } = await asked(grace)('POST', '', { name: 'shared' })
  expect((await viewer('GET', `/${board.id}`)).status).toBe(200)
  expect((await viewer('PATCH', `/${board.id}`, { name: 'x' })).status).toBe(403)
  expect((await viewer('POST', '', { name: 'y' })).status).toBe(403)
})

test('each change is a version; an older one is restored as the newest, and 50 are kept', async () => {
  const ask = asked(await given.user({ role: 'MEMBER' }))
  const { body: board } = await ask('POST', '', { name: 'one', definition: definition(panel('p1', 'nodes')) })
  await ask('PATCH', `/${board.id}`, { name: 'two', definition: definition() })
  const restored = await ask('POST', `/${board.id}/restore`, { version: 1 })
  expect(restored.body).toMatchObject({ version: 3, name: 'one', definition: { panels: [{ id: 'p1' }] } })
  for (let count = 0; count < 50; count += 1) await ask('PATCH', `/${board.id}`, { description: `${count}` })
  const { versions } = (await ask('GET', `/${board.id}/versions`)).body
  expect(versions).toHaveLength(50)
  expect([versions[0].version, versions[49].version]).toEqual([53, 4])
  expect((await ask('POST', `/${board.id}/restore`, { version: 1 })).status).toBe(404)
})

test('a board of more than 100 panels, or with a panel beyond 12 columns, is refused with a sentence', async () => {
  const ask = asked(await given.user({ role: 'MEMBER' }))
  const many = Array.from({ length: 101 }, (_, index) => panel(`p${index}`, 'nodes'))
  const refused = await ask('POST', '', { name: 'many', definition: definition(...many) })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('at most 100 panels')
  const wide = { ...panel('p1', 'nodes'), x: 10, width: 4 }
  expect((await ask('POST', '', { name: 'wide', definition: definition(wide) })).status).toBe(400)
  const same = await ask('POST', '', {
    name: 'same',
    definition: definition(panel('p1', 'nodes'), panel('p1', 'pods')),
  })
  expect(same.text).toContain('same id')
})

test('the reading names the panel that is outside of the weeks before, and not the others', async () => {
  const user = await given.user({ role: 'VIEWER' })
  const { organizationId } = user
  const member = await given.user({ role: 'MEMBER', organizationId })
  const cluster = await given.cluster({ organizationId })
  const metrics = await openMetrics({
    database: app.database,
    clock: realClock,
    log: createLog({ level: 'silent' }),
  })
  const of = { type: 'cluster', id: String(cluster.id) } as const
  await metrics.write(organizationId, of, new Date(), [
    { metric: clusterMetrics.nodes, value: 42 },
    { metric: clusterMetrics.pods, value: 30 },
    { metric: clusterMetrics.podsByHealth, labels: { health: 'failing' }, value: 3 },
  ])
  // The hours around the same one, four weeks back, as the roll-up leaves them.
  await app.database.ownerPool.query(
    `insert into metric_hours (organization_id, block, at, averages, maxima)
     select organization_id, block, date_trunc('hour', now()) - make_interval(weeks => week, hours => hour), v, v
     from generate_series(1, 4) week, generate_series(0, 2) hour, (
       select organization_id, block,
         array_agg(case metric when 'nodes' then 2 when 'pods' then 30 end::real order by slot) v
       from metric_series where organization_id = $1 group by organization_id, block
     ) s`,
    [organizationId],
  )
  const { body: board } = await asked(member)('POST', '', {
    name: 'reading',
    definition: definition(
      panel('nodes', 'sum(nodes{cluster=~"$cluster"})'),
      panel('pods', 'sum(pods)'),
      panel('new', 'sum(pods_by_health)'),
      panel('none', 'never_measured'),
      panel('broken', 'sum('),
    ),
  })
  const { status, body, text } = await asked(user)('GET', `/${board.id}/reading`)
  expect(status, text).toBe(200)
  const states = Object.fromEntries(
    body.panels.map((each: { id: string; state: string; text: string }) => [each.id, each.state]),
  )
  expect(states).toEqual({
    nodes: 'differs',
    pods: 'usual',
    new: 'short_history',
    none: 'no_data',
    broken: 'failed',
  })
  expect(body.panels[0]).toMatchObject({ now: 42, usual: 2, text: '×21' })
  expect(body.text).toBe('1 of 5 panels differs from the weeks before: nodes ×21. 1 of 5 cannot be read.')
  const elsewhere = await asked(user)('GET', `/${board.id}/reading?cluster=another`)
  expect(elsewhere.body.panels[0].state).toBe('no_data')
  expect((await asked(user)('GET', '/fleet/reading')).body.panels).toHaveLength(10)
})

test('another organization’s series are not in the reading of a ready board', async () => {
  const stranger = await given.user({ role: 'VIEWER' })
  const { body } = await asked(stranger)('GET', '/fleet/reading')
  expect(body.text).toBe('Nothing was measured in the last hour.')
})

test('an exported board is imported as it was', async () => {
  const ask = asked(await given.user({ role: 'MEMBER' }))
  const { body: board } = await ask('POST', '', { name: 'out', definition: definition(panel('p1', 'nodes')) })
  const { source } = (await ask('GET', `/${board.id}/export`)).body
  await ask('DELETE', `/${board.id}`)
  const { status, body } = await ask('POST', '/import', { source })
  expect(status).toBe(201)
  expect(body).toMatchObject({ notes: [], board: { name: 'out', definition: board.definition } })
})

test('a dashboard of Grafana keeps what both know, and names what was left out', async () => {
  const ask = asked(await given.user({ role: 'MEMBER' }))
  const source = JSON.stringify({
    title: 'From Grafana',
    templating: {
      list: [
        { name: 'cluster', type: 'query' },
        { name: 'pod', type: 'query' },
      ],
    },
    panels: [
      {
        type: 'timeseries',
        title: 'CPU',
        gridPos: { x: 12, y: 0, w: 12, h: 8 },
        targets: [
          { expr: 'sum(cpu_used_millicores{cluster=~"${cluster:regex}"})', legendFormat: '{{cluster}}' },
          { rawSql: 'select 1' },
        ],
        fieldConfig: {
          defaults: {
            unit: 'percent',
            thresholds: { mode: 'absolute', steps: [{ value: null }, { value: 80 }] },
          },
        },
      },
      {
        type: 'row',
        title: 'More',
        panels: [{ type: 'barchart', title: 'Top', targets: [{ expr: 'nodes' }] }],
      },
      { type: 'geomap', title: 'Map' },
    ],
  })
  const { status, body, text } = await ask('POST', '/import', { source })
  expect(status, text).toBe(201)
  expect(body.board.definition).toMatchObject({
    variables: ['cluster'],
    panels: [
      {
        kind: 'series',
        x: 6,
        width: 6,
        height: 2,
        unit: 'percent',
        thresholds: { warn: null, danger: 80 },
        queries: [{ expr: 'sum(cpu_used_millicores{cluster=~"$cluster"})', legend: '{{cluster}}' }],
      },
      { kind: 'top', title: 'Top' },
    ],
  })
  expect(body.notes).toEqual([
    '"CPU" lost 1 of its queries: they are not PromQL.',
    '"Map" was left out: Bey has no panel of the type "geomap".',
    'The variable $pod is not known: boards have $cluster, $namespace and $database.',
  ])
  const back = await ask('GET', `/${body.board.id}/export?format=grafana`)
  const exported = JSON.parse(back.body.source)
  expect(exported.panels.map(({ type }: { type: string }) => type)).toEqual(['timeseries', 'barchart'])
  expect(exported.panels[0].gridPos).toEqual({ x: 12, y: 0, w: 12, h: 8 })
})

test('a file that is no board is refused with a sentence', async () => {
  const ask = asked(await given.user({ role: 'MEMBER' }))
  for (const source of ['not json', '[]', '{"a":1}', '{"kind":"bey-board","definition":{"panels":7}}']) {
    const { status, body } = await ask('POST', '/import', { source })
    expect([status, typeof body.detail], source).toEqual([400, 'string'])
  }
})

test('the palette finds it by a part of its name', async () => {
  const user = await given.user({ role: 'MEMBER' })
  await asked(user)('POST', '', { name: 'checkout', description: 'Sells things' })
  const { token, organizationId } = user
  const { body } = await app.ask('GET', '/api/palette?search=heck', { token, organizationId })
  expect(body.items).toMatchObject([{ type: 'board', title: 'checkout', subtitle: 'Sells things' }])
})
