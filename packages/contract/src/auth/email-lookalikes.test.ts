import { expect, test } from 'vitest'
import { emailSkeleton } from './email-lookalikes.ts'

test('addresses in full width, with a dotless i or letters of other scripts look like the ASCII one', () => {
  for (const lookalike of [
    'ａｄｍｉｎ@example.com',
    'admın@example.com',
    'аdmin@example.com',
    'αdmin@example.com',
    'admin@ехаmрlе.com',
    'admin@example․com',
    'ADMIN@example.com',
    'adⅿin@example.com',
  ])
    expect(emailSkeleton(lookalike), lookalike).toBe('admin@example.com')
})

test('addresses that differ for the eye stay apart, whatever their script', () => {
  const different = ['admin1@example.com', 'adminl@example.com', 'jürgen@example.com', 'jurgen@example.com']
  const others = ['почта@пример.рф', '用户@例子.公司', 'σοφία@παράδειγμα.gr', 'ada+x@example.com']
  const all = [...different, ...others]
  expect(new Set(all.map(emailSkeleton)).size).toBe(all.length)
  for (const each of different) expect(emailSkeleton(each)).toBe(each)
})
