import type { Approval } from '@bey/contract'
import { expect, test } from 'vitest'
import { decidersText, neededText, planCount, planLines } from './approval-text.ts'

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
  deciders: [],
  decidersTotal: 0,
  remindedAt: null,
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

test('who can still decide is named, to who asked as those that are waited for', () => {
  const named = (names: string[], total = names.length) => ({
    deciders: names.map((name) => ({ ...actor, name })),
    decidersTotal: total,
  })
  expect(decidersText(named(['Ada', 'Grace']), false)).toBe('2 can decide: Ada, Grace.')
  expect(decidersText(named(['Ada', 'Grace']), true)).toBe('Waiting for Ada or Grace.')
  expect(decidersText(named(['Ada']), true)).toBe('Waiting for Ada.')
  expect(decidersText(named(['A', 'B', 'C', 'D', 'E'], 7), true)).toBe('Waiting for A, B, C, D or 3 more.')
  expect(decidersText(named([]), false)).toBe('Nobody can decide this.')
})

test('a plan is shown as a diff, and what is none stays as it is', () => {
  const lines = planLines('@@ -1 +1 @@\n image:\n-  old\n+  new')
  expect(lines.map(({ kind }) => kind)).toEqual(['gap', 'same', 'removed', 'added'])
  expect(lines.map(({ text }) => text)).toEqual(['@@ -1 +1 @@', 'image:', '  old', '  new'])
  expect(planCount(lines)).toBe('1 added, 1 removed')
})
