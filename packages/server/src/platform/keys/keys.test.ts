import { describe, expect, test } from 'vitest'
import { canonicalNetwork, isAllowedFrom } from './allowed-addresses.ts'
import { isKeyToken, isWellFormedKey, newKeyToken, startOf } from './key-token.ts'

describe('a token', () => {
  test('has its prefix, 43 random base62 digits and a checksum, and is never the same', () => {
    const tokens = Array.from({ length: 200 }, newKeyToken)
    for (const token of tokens) {
      expect(token).toMatch(/^bey_key_[0-9A-Za-z]{49}$/)
      expect(isWellFormedKey(token)).toBe(true)
    }
    expect(new Set(tokens).size).toBe(200)
    expect(new Set(tokens.map(startOf)).size).toBe(200)
  })

  test('with one wrong, missing or swapped character is not well formed', () => {
    const token = newKeyToken()
    for (let index = 'bey_key_'.length; index < token.length; index += 1) {
      const other = token[index] === 'a' ? 'b' : 'a'
      expect(isWellFormedKey(`${token.slice(0, index)}${other}${token.slice(index + 1)}`)).toBe(false)
    }
    for (const wrong of [token.slice(0, -1), `${token}0`, token.toUpperCase(), '', 'bey_key_', `x${token}`]) {
      expect(isWellFormedKey(wrong)).toBe(false)
    }
    expect(isKeyToken('bey_session_abc')).toBe(false)
  })
})

describe('allowed addresses', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:1:2:3::/64', '2001:db8:1:2::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['10.0.0.0/33', undefined],
    ['127.1', undefined],
    ['example.com', undefined],
    ['', undefined],
  ])('%s is kept as %s', (given, kept) => expect(canonicalNetwork(given)).toBe(kept))

  test('an address is within its network, in whatever form it arrives', () => {
    const networks = ['10.0.0.0/8', '2001:db8::/32']
    for (const address of ['10.200.1.1', '::ffff:10.200.1.1', '2001:db8::7']) {
      expect(isAllowedFrom(networks, address)).toBe(true)
    }
    for (const address of ['11.0.0.1', '2001:db9::1', '', 'nonsense', '::ffff:11.0.0.1']) {
      expect(isAllowedFrom(networks, address)).toBe(false)
    }
    expect(isAllowedFrom([], '198.51.100.1')).toBe(true)
  })
})
