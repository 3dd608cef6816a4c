import { expect, test } from 'vitest'
import { asPart, errorsOfPart, newPolicy, policyBody, policyProblems } from './policy-draft.ts'

test('what is wrong stands at its field, also where the policy is part of another form', () => {
  const draft = { ...newPolicy, days: '0', minutes: '1.5', checks: [{ name: '', sql: 'select 1' }] }
  const problems = policyProblems(draft)
  expect(Object.keys(problems)).toEqual(['retentionDays', 'recoveryTimeMinutes', 'checks'])
  expect(errorsOfPart(asPart(problems))).toEqual(problems)
})

test('a refusal of the server is shown at the field, one of a single check at the checks, and none of another field', () => {
  expect(
    errorsOfPart({
      'backups.checks.0.sql': 'Too long.',
      'backups.schedule': 'No schedule.',
      name: 'Taken.',
      'allowList.0.cidr': 'No network.',
    }),
  ).toEqual({ checks: 'Too long.', schedule: 'No schedule.' })
})

test('an empty promise promises nothing', () => {
  expect(policyProblems(newPolicy)).toEqual({})
  expect(policyBody(newPolicy)).toMatchObject({ retentionDays: 7, recoveryTimeMinutes: null })
  expect(policyBody({ ...newPolicy, minutes: '9' }).recoveryTimeMinutes).toBe(9)
})
