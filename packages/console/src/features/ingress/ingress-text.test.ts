import { expect, test } from 'vitest'
import { summaryText } from './ingress-text.ts'

const nowMs = Date.parse('2026-11-24T12:00:00Z')
const counts = { failing: 0, degraded: 0, unknown: 0, starting: 0, healthy: 0 }

test('hosts of unknown health are counted, so that silence is not taken for health', () => {
  const answer = { counts: { ...counts, unknown: 3, healthy: 1 }, total: 4, nextExpiry: null }
  expect(summaryText(answer, nowMs)).toBe('3 of unknown health.')
})

test('the next certificate to end is that of all hosts, though its host stands on another page', () => {
  const nextExpiry = { host: 'shop.example', expiresAt: '2026-12-01T12:00:00Z' }
  expect(summaryText({ counts: { ...counts, healthy: 400 }, total: 400, nextExpiry }, nowMs)).toBe(
    '400 hosts. The certificate of shop.example runs out in 7 days.',
  )
  expect(summaryText({ counts: { ...counts, failing: 1, degraded: 2 }, total: 3, nextExpiry }, nowMs)).toBe(
    '1 host failing, 2 degraded. The certificate of shop.example runs out in 7 days.',
  )
})

test('paths that hold for every host are called any host', () => {
  const nextExpiry = { host: '', expiresAt: '2026-11-24T15:00:00Z' }
  expect(summaryText({ counts, total: 1, nextExpiry }, nowMs)).toBe(
    '1 host. The certificate of any host runs out in 3 hours.',
  )
})
