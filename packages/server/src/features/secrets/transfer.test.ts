import { secretLimits } from '@bey/contract'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const app = await testApp()
const { given, ask } = app

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const post = (user: GivenUser, path: string, body: object) =>
  ask('POST', `/api/secrets${path}`, { ...as(user), body })
const importFile = (user: GivenUser, format: string, text: string, more: object = {}) =>
  post(user, '/import', { format, text, ...more })
const exportFile = (user: GivenUser, format: string, more: object = { filter: {} }) =>
  post(user, '/export', { format, reason: 'Moving house', ...more })

async function valueOf(user: GivenUser, name: string) {
  const { body } = await ask('GET', `/api/secrets?search=${encodeURIComponent(name)}`, as(user))
  const found = body.secrets.find((each: { name: string }) => each.name === name)
  return (await post(user, `/${found.id}/reveal`, { reason: 'A test looks' })).body.value
}

const env = [
  '# Of the shop',
  'export DB_URL=postgres://shop:pa=ss@db/shop # live',
  "KEY='-----BEGIN KEY-----",
  'a$b\\n',
  "-----END KEY-----'",
  'GREETING="He said \\"hi\\"\\n#1" # said',
  'HASH=a#b',
].join('\n')

test('an .env file comes in, value by value, and no value is repeated', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const dry = await importFile(user, 'env', env, { prefix: 'shop/', dryRun: true })
  expect(dry.body).toMatchObject({
    isApplied: false,
    rows: [{ name: 'shop/DB_URL', outcome: 'created' }, {}, {}, {}],
  })
  expect((await ask('GET', '/api/secrets', as(user))).body.total).toBe(0)
  const reply = await importFile(user, 'env', env, { prefix: 'shop/' })
  expect(reply.body.isApplied, reply.text).toBe(true)
  expect(reply.text).not.toMatch(/postgres|BEGIN|He said/)
  const owner = await given.user({ organizationId: user.organizationId, role: 'OWNER' })
  expect(await valueOf(owner, 'shop/DB_URL')).toBe('postgres://shop:pa=ss@db/shop')
  expect(await valueOf(owner, 'shop/KEY')).toBe('-----BEGIN KEY-----\na$b\\n\n-----END KEY-----')
  expect(await valueOf(owner, 'shop/GREETING')).toBe('He said "hi"\n#1')
  expect(await valueOf(owner, 'shop/HASH')).toBe('a#b')
})

test('what exists is skipped, versioned or refused, and a refusal stores nothing at all', async () => {
  const user = await given.user({ role: 'OWNER' })
  await importFile(user, 'env', 'A=1\nB=2')
  const skip = await importFile(user, 'env', 'A=9\nC=3', { onExisting: 'skip' })
  expect(skip.body.rows.map((row: { outcome: string }) => row.outcome)).toEqual(['skipped', 'created'])
  const refused = await importFile(user, 'env', 'D=4\nA=9\n-x=1')
  expect(refused.body).toMatchObject({
    isApplied: false,
    rows: [
      { name: 'D', outcome: 'created' },
      { name: 'A', outcome: 'refused', message: 'Line 2: A secret named "A" already exists.' },
      { name: '-x', outcome: 'refused' },
    ],
  })
  expect((await ask('GET', '/api/secrets', as(user))).body.total).toBe(3)
  const versioned = await importFile(user, 'env', 'A=9\nB=2', { onExisting: 'version' })
  expect(versioned.body.rows).toMatchObject([
    { name: 'A', outcome: 'versioned' },
    { name: 'B', outcome: 'skipped', message: 'It has this value already.' },
  ])
  expect(await valueOf(user, 'A')).toBe('9')
})

test('an empty value is left out, a variable is said to be kept as text, and every bad line is listed', async () => {
  const user = await given.user({ role: 'OWNER' })
  const reply = await importFile(user, 'env', 'A=1\nEMPTY=\nURL=http://${HOST}/\nQUOTED=""')
  expect(reply.body).toMatchObject({
    isApplied: true,
    rows: [
      { name: 'A', outcome: 'created' },
      { name: 'EMPTY', outcome: 'skipped', message: 'It is empty: there is nothing to keep.' },
      {
        name: 'URL',
        outcome: 'created',
        message: 'It names a variable as in ${NAME}, which is kept as text.',
      },
      { name: 'QUOTED', outcome: 'skipped' },
    ],
  })
  expect(await valueOf(user, 'URL')).toBe('http://${HOST}/')
  const lines = Array.from({ length: 40 }, (_, index) => `bad line ${index}`)
  const dry = await importFile(user, 'env', `${lines.join('\n')}\nB="open\nbad`, { dryRun: true })
  expect(dry.body.errors).toHaveLength(42)
})

test('nested YAML gives each text a name by its path', async () => {
  const user = await given.user({ role: 'OWNER' })
  const text =
    'db:\n  host: db.internal\n  login:\n    user: shop\n    value: x\nkey: { type: password, value: pw }\n'
  const reply = await importFile(user, 'yaml', text)
  expect(
    reply.body.rows.map((row: { name: string }) => row.name),
    reply.text,
  ).toEqual(['db/host', 'db/login/user', 'db/login/value', 'key'])
})

test('single entries are chosen: one is left out, another updates what is there', async () => {
  const user = await given.user({ role: 'OWNER' })
  await importFile(user, 'env', 'A=1\nB=2')
  const choices = { B: 'store', '-x': 'skip' }
  const reply = await importFile(user, 'env', 'A=9\nB=3\n-x=4\nC=5', { onExisting: 'skip', choices })
  expect(reply.body).toMatchObject({
    isApplied: true,
    rows: [
      { name: 'A', line: 1, type: 'opaque', exists: true, outcome: 'skipped' },
      { name: 'B', line: 2, exists: true, outcome: 'versioned' },
      { name: '-x', exists: false, outcome: 'skipped', message: 'Left out by choice.' },
      { name: 'C', exists: false, outcome: 'created' },
    ],
  })
  expect([await valueOf(user, 'A'), await valueOf(user, 'B')]).toEqual(['1', '3'])
})

test.each([
  ['env', 'A=1\nno assignment', 'Line 2: This is no NAME=value'],
  ['env', 'A=1\n\nB="open', 'Line 3: The value of B begins with a quote that is never closed.'],
  ['env', 'A="x" y', 'Line 1: After the closing quote of A'],
  ['env', 'A=1\nA=canary-2', 'Line 2: A is there twice, first in line 1.'],
  ['env', '# nothing', 'The file holds no secrets.'],
  ['yaml', 'a: x\n- b', 'This is no YAML.'],
  ['yaml', '- a', 'Line 1: This is no map'],
  ['yaml', 'a: &x 1\nb: *x', 'Line 2: The value of b is an alias of YAML.'],
  ['yaml', 'a: &x 1\n*x : b', 'Line 2: A name must be a text.'],
  ['yaml', 'a: *missing', 'Line 1: The value of a is an alias of YAML.'],
  ['yaml', 'a: &x opaque\nb: { type: *x, value: 1 }', 'Line 2: The type of b is none of'],
  ['yaml', 'a: &x 1\nb: { value: *x }', 'Line 2: b has no value'],
  ['yaml', '*x', 'Line 1: This is no map'],
  ['yaml', 'a:\n  - b', 'Line 1: The value of a is a list.'],
  ['kubernetes', 'kind: Secret\nmetadata: *x', 'Line 1: This Secret has no metadata.name.'],
  ['kubernetes', 'kind: Secret\nmetadata: { name: a }\nstringData: { k: *x }', 'Line 3: The value of a/k'],
  ['yaml', 'a:\n  type: nothing\n  value: x', 'Line 1: The type of a is none of'],
  ['kubernetes', 'kind: ConfigMap', 'Line 1: This is no manifest of kind Secret.'],
  [
    'kubernetes',
    'kind: Secret\nmetadata: { name: a }\ndata:\n  k: "@@"',
    'Line 4: The value of a/k is not a text',
  ],
  [
    'env',
    Array.from({ length: secretLimits.importEntries + 1 }, (_, n) => `A${n}=1`).join('\n'),
    'at most 500 are imported at once',
  ],
])('%s that cannot be read is refused with its line: %#', async (format, text, message) => {
  const user = await given.user({ role: 'OWNER' })
  const reply = await importFile(user, format, text)
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  expect(reply.body.errors[0].message).toContain(message)
  expect(reply.text).not.toContain('canary-2')
})

test('manifests of Secrets come in by key, also from a list, also bytes', async () => {
  const user = await given.user({ role: 'OWNER' })
  const text = `kind: List
items:
  - kind: Secret
    metadata: { name: db }
    data: { password: ${Buffer.from('from data').toString('base64')}, raw: /wA= }
    stringData: { user: shop }
---
kind: Secret
metadata: { name: other }
stringData: { k: "0123" }
`
  const reply = await importFile(user, 'kubernetes', text)
  expect(reply.body.rows.map((row: { name: string }) => row.name)).toEqual([
    'db/user',
    'db/password',
    'db/raw',
    'other/k',
  ])
  expect(await valueOf(user, 'db/password')).toBe('from data')
  expect(await valueOf(user, 'db/raw')).toBe('/wA=')
  expect(await valueOf(user, 'other/k')).toBe('0123')
})

test.each(['env', 'yaml', 'kubernetes'])('what goes out as %s comes in again as it was', async (format) => {
  const [from, to] = [await given.user({ role: 'OWNER' }), await given.user({ role: 'OWNER' })]
  const values: Record<string, string> = {
    A: `it's "quoted" \\ $HOME\r\nend`,
    B: ' spaces and # marks ',
    C: 'several\nlines\n',
    D: '\u{1F511}',
    E: '007',
  }
  for (const [name, value] of Object.entries(values)) {
    expect((await post(from, '', { name: `app/${name}`, value })).status).toBe(201)
  }
  const file = await exportFile(from, format)
  expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="secrets\./)
  const reply = await importFile(to, format, file.text)
  expect(reply.body.isApplied, reply.text).toBe(true)
  const prefix = format === 'env' ? 'app_' : 'app/'
  for (const [name, value] of Object.entries(values))
    expect(await valueOf(to, `${prefix}${name}`)).toBe(value)
})

test('every secret of an export is in the trail before it leaves, or nothing leaves', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const ids: string[] = []
  for (const name of ['x', 'y']) ids.push((await post(owner, '', { name, value: `canary-${name}` })).body.id)
  const trail = async () =>
    (
      await app.database.ownerPool.query(
        `select target_name, outcome from audit_entries
         where organization_id = $1 and action = 'secret.export' order by seq`,
        [organizationId],
      )
    ).rows
  const refused = await exportFile(member, 'env', { ids })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  expect(await trail()).toEqual([
    { target_name: 'x', outcome: 'denied' },
    { target_name: 'y', outcome: 'denied' },
  ])
  await app.database.ownerPool.query(
    `create function refuse_export() returns trigger language plpgsql as $$ begin
       if new.action = 'secret.export' and new.target_name = 'y' then
         raise 'no room' using errcode = '53100'; end if; return new; end $$;
     create trigger a_refuse_export before insert on audit_entries for each row execute function refuse_export()`,
  )
  const unrecorded = await exportFile(owner, 'env', { ids })
  await app.database.ownerPool.query('drop trigger a_refuse_export on audit_entries')
  expect(unrecorded.status).toBe(503)
  expect(unrecorded.text).not.toContain('canary')
  expect((await exportFile(owner, 'env', { ids })).text).toBe("x='canary-x'\ny='canary-y'\n")
  expect(await trail()).toHaveLength(4)
  const foreign = await given.user({ role: 'OWNER' })
  expect((await exportFile(foreign, 'env', { ids })).status).toBe(404)
  expect((await exportFile(owner, 'env', { ids, filter: {} })).status).toBe(400)
})

test('two names that one format cannot tell apart are refused instead of losing one', async () => {
  const user = await given.user({ role: 'OWNER' })
  for (const name of ['a.b', 'a-b']) await post(user, '', { name, value: 'v' })
  const reply = await exportFile(user, 'env')
  expect([reply.status, reply.body.code]).toEqual([409, 'conflict'])
  expect(reply.body.detail).toContain('would both be called a_b')
})
