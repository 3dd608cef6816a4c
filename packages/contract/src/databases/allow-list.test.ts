import { expect, test } from 'vitest'
import { admits, canonicalNetwork, hbaLines, listenAddresses, networkProblem } from './allow-list.ts'

test.each([
  ['10.20.0.0/16', undefined],
  ['192.0.2.7', undefined],
  ['2001:db8::/32', undefined],
  ['::ffff', undefined],
  ['10.20.0.7/16', 'The network is 10.20.0.0/16.'],
  ['2001:db8::1/32', 'The network is 2001:db8::/32.'],
  ['0.0.0.0/0', 'admits every address'],
  ['::/0', 'admits every address'],
  ['10.0.0.0/33', 'the length is from 0 to 32'],
  ['10.0.0.256/24', 'is no network'],
  ['010.0.0.0/8', 'is no network'],
  ['10.0.0/8', 'is no network'],
  ['example.com', 'is no network'],
  ['10.0.0.0/8/8', 'is no network'],
  ['10.0.0.0/8 trust', 'is no network'],
  ['10.0.0.0/8\nhost all all all trust', 'is no network'],
  ['1:2:3:4:5:6:7:8:9', 'is no network'],
  ['1::2::3', 'is no network'],
  ['', 'is no network'],
])('the network %j: %s', (cidr, problem) => {
  if (problem === undefined) expect(networkProblem(cidr)).toBeUndefined()
  else expect(networkProblem(cidr)).toContain(problem)
})

test('lines of pg_hba.conf admit the machine and each network once, always by password', () => {
  const list = [{ cidr: '192.0.2.7' }, { cidr: '192.0.2.7/32' }, { cidr: '2001:db8::/32' }]
  expect(hbaLines(list)).toEqual([
    'host all all 127.0.0.1/32 scram-sha-256',
    'host all all ::1/128 scram-sha-256',
    'hostssl all all 192.0.2.7/32 scram-sha-256',
    'hostssl all all 2001:db8::/32 scram-sha-256',
  ])
  expect([listenAddresses([]), listenAddresses(list)]).toEqual(['127.0.0.1', '*'])
  expect(canonicalNetwork('::1')).toBe('::1/128')
})

test.each([
  ['10.20.4.31', true],
  ['10.21.0.1', false],
  ['127.0.0.1', true],
  ['::1', true],
  ['2001:db8:1::9', true],
  ['2001:db9::1', false],
  ['nobody', false],
])('%s is admitted: %s', (address, isAdmitted) => {
  expect(admits([{ cidr: '10.20.0.0/16' }, { cidr: '2001:db8::/32' }], address)).toBe(isAdmitted)
})
