import type { Approval } from '@bey/contract'
import { expect, test } from 'vitest'
import { neededText, planCount, planLines } from './approval-text.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const actor = { type: 'user', id: '1', name: 'Ada', email: 'ada@example.com' } as const
const decision = { by: actor, at: '2026-11-21T11:00:00.000Z', comment: '', form: null } as const

const approval = (part: Partial<Approval>): Approval => ({
  id: 'a',
  workflowId: 'w',
  workflowName: 'Deploy',
  runId: 'r',
  stepKey: 'approve',
  stepName: 'Approve rollout',
  status: 'pending',
  question: 'Deploy?',
  details: '',
  facts: [],
  plan: '',
  form: null,
  neededCount: 2,
  requestedBy: actor,
  requestedAt: '2026-11-21T11:00:00.000Z',
  expiresAt: null,
  onTimeout: 'reject',
  approvers: 'OWNER, ADMIN',
  deniedReason: null,
  decisions: [{ ...decision, decision: 'approve' }],
  ...part,
})

test('what it still takes counts approvals, and the time that is left while it is pending', () => {
  expect(neededText(approval({}), now)).toBe('1 of 2 approvals')
  const expiresAt = '2026-11-21T12:26:00.000Z'
  expect(neededText(approval({ expiresAt }), now)).toBe('1 of 2 approvals, within 26 min 00 s')
  expect(neededText(approval({ expiresAt }), now + 3_600_000)).toBe('1 of 2 approvals, time is over')
  expect(neededText(approval({ expiresAt, status: 'rejected', neededCount: 1, decisions: [] }), now)).toBe(
    '0 of 1 approval',
  )
})

test('a plan is shown as a diff, and what is none stays as it is', () => {
  const lines = planLines('@@ -1 +1 @@\n image:\n-  old\n+  new')
  expect(lines.map(({ kind }) => kind)).toEqual(['gap', 'same', 'removed', 'added'])
  expect(lines.map(({ text }) => text)).toEqual(['@@ -1 +1 @@', 'image:', '  old', '  new'])
  expect(planCount(lines)).toBe('1 added, 1 removed')
})
