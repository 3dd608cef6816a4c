import { expect, test } from 'vitest'
import { z } from 'zod'
import { wireShape } from './wire-shape.ts'
import { camelNames, fromWire, toWire } from './wire.ts'

const schema = z.object({
  lastRunAt: z.string().nullable(),
  rows: z.array(z.object({ workflowId: z.string(), input: z.record(z.string(), z.unknown()) })),
  workflowsByStatus: z.record(z.string(), z.number()),
  plain: z.number(),
})
const value = {
  lastRunAt: null,
  rows: [{ workflowId: 'a', input: { userName: 'x', nested: { someKey: 1 } } }],
  workflowsByStatus: { timed_out: 1, camelCase: 2 },
  plain: 3,
}

test('declared names are renamed, keys of maps and of free JSON never', () => {
  const shape = wireShape(schema) ?? {}
  const wire = {
    last_run_at: null,
    rows: [{ workflow_id: 'a', input: { userName: 'x', nested: { someKey: 1 } } }],
    workflows_by_status: { timed_out: 1, camelCase: 2 },
    plain: 3,
  }
  expect(toWire(value, shape)).toEqual(wire)
  expect(fromWire(wire, shape)).toEqual(value)
})

test('declared names in camel case are found on the wire, those of maps and of free JSON are not', () => {
  const wire = {
    lastRunAt: null,
    rows: [
      { workflow_id: 'a', input: { workflowId: 1 } },
      { workflowId: 'b', input: {} },
    ],
    workflows_by_status: { lastRunAt: 1 },
    plain: 3,
  }
  expect([...camelNames(wire, wireShape(schema) ?? {})]).toEqual([
    { path: ['lastRunAt'], wire: 'last_run_at' },
    { path: ['rows', 1, 'workflowId'], wire: 'workflow_id' },
  ])
})
