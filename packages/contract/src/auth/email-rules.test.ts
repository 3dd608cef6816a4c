import { expect, test } from 'vitest'
import { isEmail, isMailSender } from './email-rules.ts'

test('an email is something, an at-sign, something, a dot, something, without spaces', () => {
  for (const good of ['a@b.c', 'ada.lovelace+x@analytical.engines.org'])
    expect(isEmail(good), good).toBe(true)
  for (const bad of [
    '',
    'a',
    'a@b',
    '@b.c',
    'a@.',
    'a b@c.d',
    'a@b .c',
    'a@@b.c',
    'a\u200B@b.c',
    'a\u202E@b.c',
    `${'a'.repeat(251)}@b.c`,
  ])
    expect(isEmail(bad), bad).toBe(false)
})

test('the sender of mails is an address, with or without a name', () => {
  for (const good of ['bey@localhost', 'bey@example.com', 'Bey <bey@example.com>'])
    expect(isMailSender(good), good).toBe(true)
  for (const bad of ['Bey', 'Bey bey@example.com', 'Bey <bey>', '<a@b.c> <d@e.f>', 'Bey\r\nBcc: <a@b.c>'])
    expect(isMailSender(bad), bad).toBe(false)
})
