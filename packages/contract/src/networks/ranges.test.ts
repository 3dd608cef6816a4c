import { expect, test } from 'vitest'
import {
  addressText,
  commonAddresses,
  freeBlocks,
  isPrivate,
  parseAddress,
  parseRange,
  placesFor,
  rangeOf,
  rangeRefusal,
  usableAddresses,
} from './ranges.ts'

const problem = (text: string) => {
  const range = parseRange(text)
  return 'problem' in range ? range.problem : undefined
}

test.each([
  ['', 'Enter a range such as 10.42.0.0/16.'],
  ['10.42.0.0', 'Say how long the range is: 10.42.0.0/24, for example.'],
  ['fd42::', 'Say how long the range is: fd42::/64, for example.'],
  ['10.42.0.0/33', 'The length after the slash is a number from 0 to 32 for IPv4.'],
  ['10.42.0.0/', 'The length after the slash is a number from 0 to 32 for IPv4.'],
  ['10.42.0.0/-1', 'The length after the slash is a number from 0 to 32 for IPv4.'],
  ['fd42::/129', 'The length after the slash is a number from 0 to 128 for IPv6.'],
  ['10.42.0.0/08', 'Write the length after the slash without leading zeros.'],
  ['10.42.0.0/1e1', 'The length after the slash is a number from 0 to 32 for IPv4.'],
  ['10.42.0.0/999999999999', 'The length after the slash is a number from 0 to 32 for IPv4.'],
  ['10.42.0.0 /16', 'Write the range without spaces, as in 10.42.0.0/16.'],
  ['10.42.0.0/\u00a016', 'Write the range without spaces, as in 10.42.0.0/16.'],
  ['::ffff:10.0.0.0/104', 'This is an IPv4 range in the form of IPv6. Write it as IPv4, as in 10.42.0.0/16.'],
  ...['0x0a.0.0.0/8', '١٠.0.0.0/8', 'fe80::1%eth0/64', 'fd00:::/48', '\u202e10.0.0.0/8', '<b>'].map(
    (text) => [
      text,
      'This is no address. Write an IPv4 range such as 10.42.0.0/16 or an IPv6 range such as fd42::/48.',
    ],
  ),
  ['10.42.0.0/16/2', 'Write one slash: the address, then the length, as in 10.42.0.0/16.'],
  ['10.42.7.9/16', '10.42.7.9 lies within a /16 and does not begin it. You may mean 10.42.0.0/16.'],
  ['fd42::1/48', 'fd42::1 lies within a /48 and does not begin it. You may mean fd42::/48.'],
  ['10.42.300.0/16', 'An IPv4 address has parts from 0 to 255; 300 is none.'],
  [
    '010.1.0.0/16',
    'Write the parts of an IPv4 address without leading zeros: some programs read them as octal.',
  ],
  ['10.42/16', 'An IPv4 address has four numbers with dots between them, as in 10.42.0.0.'],
  ['/16', 'Write an address before the slash, as in 10.42.0.0/16.'],
  [
    'office',
    'This is no address. Write an IPv4 range such as 10.42.0.0/16 or an IPv6 range such as fd42::/48.',
  ],
  ['1'.repeat(80), 'This is too long for a range such as 10.42.0.0/16.'],
])('%s is no range, and the sentence says why', (text, said) => {
  expect(problem(text)).toBe(said)
})

test('the whole address space and a single address are ranges', () => {
  expect(rangeOf('0.0.0.0/0')).toMatchObject({ first: 0n, last: 4_294_967_295n })
  expect(rangeOf('10.0.0.7/32')).toMatchObject({ first: 167_772_167n, last: 167_772_167n })
  expect(rangeOf('::/0').last).toBe(2n ** 128n - 1n)
})

test('an address survives being read and written', () => {
  for (const text of ['0.0.0.0', '10.42.7.9', '255.255.255.255', '::', 'fd42::1', '2001:db8:1::ff'])
    expect(addressText(parseAddress(text)!.value, parseAddress(text)!.family)).toBe(text)
  expect(parseAddress('fe80::1%eth0')).toBeUndefined()
  expect(parseAddress('10.1')).toBeUndefined()
})

test('free blocks are what is left, in the fewest pieces', () => {
  const free = (range: string, ...taken: string[]) =>
    freeBlocks(rangeOf(range), taken.map(rangeOf)).map(({ cidr }) => cidr)
  expect(free('10.0.0.0/24')).toEqual(['10.0.0.0/24'])
  expect(free('10.0.0.0/24', '10.0.0.0/26')).toEqual(['10.0.0.64/26', '10.0.0.128/25'])
  expect(free('10.0.0.0/24', '10.0.0.64/26', '10.0.0.0/26', '10.0.0.128/25')).toEqual([])
  expect(free('10.0.0.0/24', '10.0.0.0/8')).toEqual([])
  expect(free('10.0.0.0/30', '10.0.0.1/32')).toEqual(['10.0.0.0/32', '10.0.0.2/31'])
  expect(free('fd00::/126', 'fd00::2/127')).toEqual(['fd00::/127'])
  expect(free('0.0.0.0/0', '0.0.0.0/1')).toEqual(['128.0.0.0/1'])
})

test('a subnet is proposed where it leaves the largest free block whole', () => {
  const network = rangeOf('10.42.0.0/16')
  const taken = ['10.42.0.0/19', '10.42.32.0/21', '10.42.64.0/18', '10.42.128.0/22'].map(rangeOf)
  expect(placesFor(network, taken, 22).map(({ cidr }) => cidr)).toEqual([
    '10.42.132.0/22',
    '10.42.40.0/22',
    '10.42.136.0/22',
    '10.42.48.0/22',
    '10.42.144.0/22',
    '10.42.160.0/22',
    '10.42.192.0/22',
  ])
  expect(placesFor(network, taken, 17)).toEqual([])
})

test('hosts cannot have the first and the last address of an IPv4 range', () => {
  expect(usableAddresses(rangeOf('10.0.0.0/22'))).toBe(1022n)
  expect(usableAddresses(rangeOf('10.0.0.0/31'))).toBe(2n)
  expect(usableAddresses(rangeOf('fd00::/126'))).toBe(4n)
})

test('what two ranges have in common is counted', () => {
  const common = (a: string, b: string) => commonAddresses(rangeOf(a), rangeOf(b))
  expect(common('10.44.0.0/16', '10.44.128.0/20')).toBe(4096n)
  expect(common('10.44.0.0/16', '10.45.0.0/16')).toBe(0n)
  expect(common('0.0.0.0/0', '::/0')).toBe(0n)
})

test('public and special ranges are refused with the reason', () => {
  const refusal = (cidr: string) => rangeRefusal(rangeOf(cidr))
  expect(refusal('10.0.0.0/8')).toBeUndefined()
  expect(refusal('fd42::/48')).toBeUndefined()
  expect(refusal('8.8.8.0/24')).toMatch(/^8\.8\.8\.0\/24 has public addresses/)
  expect(refusal('127.0.0.0/24')).toMatch(/addresses of each machine itself/)
  expect(refusal('0.0.0.0/0')).toMatch(/which no network can have/)
  expect(refusal('2001:db8::/32')).toMatch(/public/)
  expect(isPrivate(rangeOf('172.0.0.0/11'))).toBe(false)
})
