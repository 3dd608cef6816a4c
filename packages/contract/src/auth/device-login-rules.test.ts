import { expect, test } from 'vitest'
import { normalizeUserCode } from './device-login-rules.ts'

test('a code is read however it is typed', () => {
  for (const text of ['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WDJB–MJHT']) {
    expect(normalizeUserCode(text)).toBe('WDJB-MJHT')
  }
})

test('what cannot be a code is none', () => {
  for (const text of ['', 'WDJB', 'WDJB-MJHA', 'WDJB-MJHTT', '0DJB-MJHT', '../../etc/pw']) {
    expect(normalizeUserCode(text)).toBe('')
  }
})
