import { expect, test } from 'vitest'

import { coversHost, expiryText, isExpiring } from '@bey/contract/ingress/rules'
import { readCertificate } from './read-certificate.ts'
import { dayMs, issued, newAuthority } from './testing/issued.ts'

const authority = await newAuthority()
const other = await newAuthority()

test('a chain in order says whom it is for, who issued it and until when', async () => {
  const leaf = await issued(authority, ['shop.example', '*.shop.example', '10.0.0.1'], 60)
  const read = readCertificate(`${leaf.certificatePem}\n${authority.certificatePem}`)
  expect(read).toMatchObject({
    problems: [],
    facts: {
      subject: 'shop.example',
      issuer: expect.stringMatching(/^Bey CA /),
      names: ['shop.example', '*.shop.example', '10.0.0.1'],
      keyType: 'EC P-256',
      isSelfSigned: false,
      isTrusted: false,
      chain: [{ isSelfSigned: false }, { isSelfSigned: true }],
    },
  })
  if (!('facts' in read)) throw new Error('not read')
  expect(Math.abs(Date.parse(read.facts.expiresAt) - leaf.expiresAt.getTime())).toBeLessThan(1_000)
})

test('a gap and a wrong order in the chain are said with the names', async () => {
  const leaf = await issued(authority, ['shop.example'], 60)
  const problemsOf = (...pems: string[]) => {
    const read = readCertificate(pems.join('\n'))
    return 'problems' in read ? read.problems : read
  }
  expect(problemsOf(leaf.certificatePem, other.certificatePem)).toEqual([
    expect.stringMatching(/^The chain has a gap: shop\.example was issued by Bey CA /),
  ])
  expect(problemsOf(leaf.certificatePem, other.certificatePem, authority.certificatePem)[0 as never]).toBe(
    'The chain is not in order: the issuer of shop.example is certificate 3 instead of 2.',
  )
  expect(problemsOf(authority.certificatePem, leaf.certificatePem)).toContain(
    'The first certificate is that of an authority, not that of a server.',
  )
})

test('what is no certificate is unreadable with a reason, and nothing of it is repeated', () => {
  expect(readCertificate('hunter2')).toEqual({ unreadable: 'tls.crt holds no certificate in PEM.' })
  const damaged = '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----'
  expect(readCertificate(damaged)).toEqual({ unreadable: 'Certificate 1 in tls.crt is damaged.' })
})

test('a wildcard stands for exactly one label', () => {
  expect(coversHost('*.shop.example', 'www.shop.example')).toBe(true)
  expect(coversHost('*.SHOP.example', 'www.shop.example')).toBe(true)
  expect(coversHost('*.shop.example', '*.shop.example')).toBe(true)
  expect(coversHost('*.shop.example', 'shop.example')).toBe(false)
  expect(coversHost('*.shop.example', 'a.b.shop.example')).toBe(false)
  expect(coversHost('*.shop.example', '*.b.shop.example')).toBe(false)
})

test('an end is counted in days, below two days in hours', () => {
  const at = (days: number) => new Date(days * dayMs).toISOString()
  expect(expiryText(at(6.5), 0)).toBe('runs out in 6 days')
  expect(expiryText(at(1.5), 0)).toBe('runs out in 36 hours')
  expect(expiryText(at(1), 1.2 * dayMs)).toBe('ran out 4 hours ago')
  expect([isExpiring(at(30), 0), isExpiring(at(30.1), 0)]).toEqual([true, false])
})
