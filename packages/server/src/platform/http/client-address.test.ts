import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, networkOf, trustedProxies } from './client-address.ts'

const asks = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as IncomingMessage

test.each([
  [[], '127.0.0.1', '203.0.113.9', '127.0.0.1'],
  [['10.0.0.0/8'], '127.0.0.1', '203.0.113.9', '127.0.0.1'],
  [['10.0.0.0/8'], '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  [['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
  [['10.1.2.3'], '10.1.2.3', '1.1.1.1, 10.9.9.9', '10.9.9.9'],
  [['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
  [['10.0.0.0/8'], '10.1.2.3', undefined, '10.1.2.3'],
] as const)('with %j trusted, %s saying %s is %s', (proxies, peer, forwarded, expected) => {
  expect(clientAddress(trustedProxies(proxies))(asks(peer, forwarded))).toBe(expected)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('limits of %s are those of %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
