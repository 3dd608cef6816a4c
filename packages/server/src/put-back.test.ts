import type { Endpoint, EndpointName } from '@bey/contract'
import { api } from '@bey/contract/api'
import { toWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from './testing/app.ts'
import { sweepCallOf } from './testing/sweep-calls.ts'
import type { SweepCall } from './testing/sweep.ts'

type Fields = Readonly<Record<string, unknown>>
type Read = { path: string; thingIn: (body: Fields, id: unknown) => Fields | undefined }

const app = await testApp()
const endpoints = Object.entries<Endpoint>(api) as [EndpointName, Endpoint][]

/** Updates that do not take what is read, with the reason. */
const exceptions: Partial<Record<EndpointName, string>> = {
  'webhooks.update': 'of headers the names alone are answered, for their values are secrets',
  'workflows.update': 'steps are answered without their config, which GET …/definition answers',
  'clusters.replaceCredentials': 'credentials are never answered',
  'clusters.chooseNamespaces': 'only imported clusters have a connection; its own test repeats it',
  'notifications.update': 'the time of reading is answered, and whether it is read is taken',
}

const updates = endpoints
  .filter(([, { method, body }]) => ['PUT', 'PATCH'].includes(method) && body)
  .flatMap(([name, endpoint]) => {
    const read = readOf(endpoint)
    return read ? [{ name, endpoint, read }] : []
  })

/** What the update of one noun is asked with: the fields that GET answers and that it takes, as GET answers them. */
async function prepare({ name, endpoint, read }: (typeof updates)[number]) {
  const user = await app.given.user({ role: 'OWNER' })
  const { organizationId, token } = user
  const call = await sweepCallOf(name).call({ app, organizationId, runningClusterId: 0 }, user)
  const as = call.as ?? { token, organizationId }
  const get = async () => {
    const { status, body } = await app.ask('GET', filled(read.path, call), as)
    expect(status).toBe(200)
    const thing = read.thingIn(body, Object.values(call.params ?? {}).at(-1))
    return sharedFields(endpoint, thing ?? {})
  }
  const put = (body: Fields) => app.ask(endpoint.method, filled(endpoint.path, call), { ...as, body })
  return { get, put }
}

describe.each(updates.filter(({ name }) => !(name in exceptions)))('$name', (update) => {
  test('takes what GET answers, and nothing changes by it', async () => {
    const { get, put } = await prepare(update)
    const before = await get()
    expect(Object.keys(before)).not.toEqual([])
    const reply = await put(before)
    expect(reply.status, reply.text).toBe(update.endpoint.status ?? 200)
    expect(await get()).toEqual(before)
  })
})

test.each(['webhooks.update', 'workflows.update'] as const)(
  '%s refuses what GET answers and names the fields',
  async (name) => {
    const update = updates.find((each) => each.name === name)
    if (update === undefined) throw new Error(`${name} has no read`)
    const { get, put } = await prepare(update)
    const reply = await put(await get())
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
    const paths = reply.body.errors.map((each: { path: string }) => each.path.split('.')[0])
    expect([...new Set(paths)]).toEqual([name === 'webhooks.update' ? 'headers' : 'steps'])
  },
)

test('the loop knows every noun that is read and updated, and each exception is one of them', () => {
  const names = updates.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(exceptions)))
  expect(names).toEqual(
    expect.arrayContaining(['secrets.update', 'apiKeys.update', 'notificationRules.update']),
  )
})

/** The GET with the path of an update, or that of the list in which the updated thing is. */
function readOf({ path }: Endpoint): Read | undefined {
  const isRead = (wanted: string) =>
    endpoints.some(
      ([, each]) => each.method === 'GET' && each.path === wanted && each.response instanceof z.ZodObject,
    )
  if (isRead(path)) return { path, thingIn: (body) => body }
  const list = path.replace(/\/\{\w+\}$/, '')
  if (list === path || !isRead(list)) return undefined
  const thingIn: Read['thingIn'] = (body, id) =>
    Object.values(body)
      .flatMap((each) => (Array.isArray(each) ? (each as Fields[]) : []))
      .find((each) => String(each['id']) === String(id))
  return { path: list, thingIn }
}

/** The fields of a thing that an update takes. A reply may hold the thing beside other facts: `{ workflow, logs }`. */
function sharedFields({ body, wire }: Endpoint, thing: Fields): Fields {
  if (!(body instanceof z.ZodObject)) return {}
  const camelCase = Object.fromEntries(Object.keys(body.shape).map((each) => [each, null]))
  const names = Object.keys(toWire(camelCase, wire === 'snake_case' ? (wireShape(body) ?? {}) : {}) as Fields)
  const takenOf = (fields: Fields) =>
    Object.fromEntries(
      names.filter((each) => Object.hasOwn(fields, each)).map((each) => [each, fields[each]]),
    )
  const parts = Object.values(thing).filter(
    (each) => z.record(z.string(), z.unknown()).safeParse(each).success,
  )
  return [thing, ...(parts as Fields[])]
    .map(takenOf)
    .reduce((most, each) => (Object.keys(each).length > Object.keys(most).length ? each : most))
}

function filled(path: string, { params = {} }: SweepCall): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => String(params[name]))
}
