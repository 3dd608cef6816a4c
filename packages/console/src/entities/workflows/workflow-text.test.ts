import type { RunStatus, Workflow } from '@bey/contract'
import { expect, test } from 'vitest'
import { executeReason, failuresInRow } from './workflow-text.ts'

const workflow = (...statuses: RunStatus[]) =>
  ({
    activity: {
      runs: statuses.map((status, index) => ({
        id: String(index),
        status,
        queuedAt: `2026-11-22T0${index}:00:00Z`,
        durationMs: 1,
      })),
      successRate: null,
      medianMs: null,
    },
  }) as unknown as Workflow

test('failures count from the last good run; what was cancelled or still runs says nothing', () => {
  expect(
    failuresInRow(workflow('failed', 'completed', 'failed', 'cancelled', 'timed_out', 'running')),
  ).toEqual({
    count: 2,
    since: '2026-11-22T02:00:00Z',
    lastAt: '2026-11-22T04:00:00Z',
  })
  expect(failuresInRow(workflow('failed', 'completed'))).toBeUndefined()
  expect(failuresInRow(workflow())).toBeUndefined()
})

test('a workflow that cannot be started says why', () => {
  expect(executeReason({ isBuiltIn: true, state: 'active', purgeAt: null }, 'OWNER')).toMatch(/read-only/)
  expect(executeReason({ isBuiltIn: false, state: 'archived', purgeAt: null }, 'OWNER')).toMatch(/archived/)
  expect(executeReason({ isBuiltIn: false, state: 'draft', purgeAt: null }, 'VIEWER')).toMatch(
    /Needs the role MEMBER/,
  )
  expect(executeReason({ isBuiltIn: false, state: 'draft', purgeAt: null }, 'MEMBER')).toBeUndefined()
})
