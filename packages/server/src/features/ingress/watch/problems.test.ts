import type { Health } from '@bey/contract'
import { expect, test } from 'vitest'

import { withHistory } from './problems.ts'

const health = (reason: string, since: string | null = null): Health => ({
  state: 'failing',
  reason,
  detail: null,
  since,
  object: null,
})
const at = (seconds: number) => new Date(seconds * 1_000)
const host = { key: 'host/1/shop.example', kind: 'Host' as const, name: 'shop.example', namespace: 'shop' }
const gone = { ...host, health: health('ServiceMissing'), href: '/networking/ingress' }
const over = { ...gone, key: 'certificate/1/shop/tls', kind: 'Certificate' as const }

test('a host is announced when it has led nowhere for a minute, and only then', () => {
  const first = withHistory([gone], [], at(0))
  expect(first.news).toEqual([])
  expect(first.problems[0]?.health.since).toBe(at(0).toISOString())
  const second = withHistory([gone], first.problems, at(59))
  expect(second.news).toEqual([])
  const third = withHistory([gone], second.problems, at(60))
  expect(third.news.map(({ key }) => key)).toEqual([gone.key])
  expect(withHistory([gone], third.problems, at(80)).news).toEqual([])
})

test('a host that works again and fails later is announced again, with its own beginning', () => {
  const failed = withHistory([gone], withHistory([gone], [], at(0)).problems, at(60))
  const mended = withHistory([], failed.problems, at(80))
  expect(mended.problems).toEqual([])
  const again = withHistory([gone], mended.problems, at(100))
  expect(again.problems[0]?.health.since).toBe(at(100).toISOString())
  expect(withHistory([gone], again.problems, at(160)).news).toHaveLength(1)
})

test('a certificate is announced at once, and again when it is worse', () => {
  const soon = { ...over, health: { ...health('CertificateExpires'), state: 'degraded' as const } }
  const first = withHistory([soon], [], at(0))
  expect(first.news).toHaveLength(1)
  expect(withHistory([soon], first.problems, at(20)).news).toEqual([])
  const ended = { ...over, health: health('CertificateExpired', at(30).toISOString()) }
  const later = withHistory([ended], first.problems, at(40))
  expect(later.news).toHaveLength(1)
  expect(later.problems[0]?.health.since).toBe(at(30).toISOString())
})
