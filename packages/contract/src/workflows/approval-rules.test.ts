import { expect, test } from 'vitest'
import { reminderDeniedReason } from './approval-rules.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const reason = (part: Partial<Parameters<typeof reminderDeniedReason>[0]>) =>
  reminderDeniedReason({ status: 'pending', remindedAt: null, decidersTotal: 2, ...part }, now)

test('whoever may decide is reminded at most once an hour, and of nothing that is decided', () => {
  expect(reason({})).toBeUndefined()
  expect(reason({ remindedAt: '2026-11-21T11:00:00.000Z' })).toBeUndefined()
  expect(reason({ remindedAt: '2026-11-21T11:00:00.001Z' })).toContain('Remind again in 1 min.')
  expect(reason({ remindedAt: '2026-11-21T11:59:00.000Z' })).toContain('Remind again in 59 min.')
  expect(reason({ status: 'approved' })).toContain('any more')
  expect(reason({ decidersTotal: 0 })).toContain('Nobody can decide this')
})
