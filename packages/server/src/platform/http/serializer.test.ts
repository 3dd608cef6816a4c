import type { Endpoint } from '@bey/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { replySerializer } from './serializer.ts'

const endpoint = (response: z.ZodType, wire?: 'snake_case'): Endpoint => ({
  method: 'GET',
  path: '/x',
  summary: 'X',
  access: 'public',
  response,
  ...(wire && { wire }),
})
const serialized = (response: z.ZodType, body: unknown, wire?: 'snake_case') =>
  JSON.parse(replySerializer(endpoint(response, wire))(body)) as unknown

test('what is not declared does not leave the server, however deep', () => {
  const schema = z.object({
    rows: z.array(z.object({ id: z.number(), owner: z.object({ name: z.string() }).nullable() })),
  })
  const body = { rows: [{ id: 1, hash: 'canary', owner: { name: 'Ada', hash: 'canary' } }], hash: 'canary' }
  expect(serialized(schema, body)).toEqual({ rows: [{ id: 1, owner: { name: 'Ada' } }] })
})

test('null, unions, maps and free JSON keep their values', () => {
  const schema = z.object({
    since: z.iso.datetime().nullable(),
    status: z.union([z.literal('idle'), z.enum(['a', 'b'])]),
    counts: z.record(z.string(), z.number().int()),
    input: z.record(z.string(), z.unknown()).nullable(),
    used: z.number().nullable(),
    note: z.string().optional(),
  })
  const body = {
    since: null,
    status: 'b',
    counts: { 'x-y': 2 },
    input: { deep: [{ a: null }, 'é"\\'] },
    used: 0.5,
  }
  expect(serialized(schema, body)).toEqual(body)
  const since = '2026-11-21T06:12:03.004Z'
  expect(serialized(schema, { ...body, since, input: null, used: null, note: 'n' })).toEqual({
    ...body,
    since,
    input: null,
    used: null,
    note: 'n',
  })
})

test('declared names cross in snake case, keys of maps do not', () => {
  const schema = z.object({
    lastRunAt: z.string().nullable(),
    byStatus: z.record(z.string(), z.number()),
    steps: z.array(z.object({ stepKey: z.string() })),
  })
  const body = { lastRunAt: null, byStatus: { timedOut: 1 }, steps: [{ stepKey: 'k' }] }
  expect(serialized(schema, body, 'snake_case')).toEqual({
    last_run_at: null,
    by_status: { timedOut: 1 },
    steps: [{ step_key: 'k' }],
  })
})
