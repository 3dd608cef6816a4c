import { expect, test } from 'vitest'
import type { Alert } from '../../data/alerts.ts'
import { listSentence } from './list-sentence.ts'

const none = { firing: 0, warning: 0, no_data: 0, pending: 0, silenced: 0, quiet: 0, off: 0 }
const since = '2026-11-23T07:57:00.000Z'
const firing = (by: string | null) =>
  ({ group: 'firing', since, acknowledgedBy: by === null ? null : { name: by } }) as Alert
const said = (alerts: readonly Alert[], counts: Partial<typeof none>) =>
  listSentence({ alerts: [...alerts], counts: { ...none, ...counts }, firedCount: 0, actedOnCount: 0 })

test('what fires says since when, and who has it', () => {
  expect(said([firing(null)], { firing: 1, quiet: 2 })).toMatch(
    /^1 of 3 alerts fires since .+, nobody has taken over\. Nothing fired in 30 days\.$/,
  )
  expect(said([firing('Teo Marsh'), firing('Teo Marsh')], { firing: 2 })).toMatch(/, Teo Marsh on it\./)
  expect(said([firing('Teo Marsh'), firing(null)], { firing: 2 })).toMatch(/, 1 without anybody\./)
})

test('where some of what fires is on another page, nothing is said of who has it', () => {
  expect(said([firing(null)], { firing: 2, quiet: 1 })).toBe('2 of 3 alerts fire. Nothing fired in 30 days.')
})
