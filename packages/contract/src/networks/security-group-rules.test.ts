import { expect, test } from 'vitest'
import {
  coveredBy,
  groupProblems,
  parsePort,
  portsText,
  type RulePeer,
  type SecurityRule,
} from './security-group-rules.ts'

const rule = (peer: RulePeer, values: Partial<SecurityRule> = {}): SecurityRule => ({
  direction: 'in',
  action: 'allow',
  protocol: 'tcp',
  ports: ['443'],
  peer,
  note: '',
  ...values,
})
const anywhere = { kind: 'anywhere' } as const
const around = {
  subnets: ['nodes'],
  sets: ['partners'],
  groupIds: ['web'],
  attached: [
    { clusterId: 1, namespaces: ['shop'] },
    { clusterId: 2, namespaces: null },
  ],
}
const problems = (values: { rules?: SecurityRule[]; targets?: object[]; filtersIn?: boolean }) =>
  groupProblems(
    { filtersIn: true, filtersOut: true, rules: [], targets: [], ...values } as Parameters<
      typeof groupProblems
    >[0],
    around,
  ).map(({ path, message }) => `${path}: ${message}`)

test.each([
  ['443', { from: 443, to: 443 }],
  ['8000-8100', { from: 8000, to: 8100 }],
  ['8000 - 8100', { from: 8000, to: 8100 }],
  ['http', { name: 'http' }],
  ['8100-8000', { problem: '"8100-8000" runs backwards: write 8000-8100.' }],
  ['0', { problem: 'Ports are numbers from 1 to 65535; "0" is not.' }],
  ['65536', { problem: 'Ports are numbers from 1 to 65535; "65536" is not.' }],
  ['1-70000', { problem: 'Ports are numbers from 1 to 65535; "1-70000" is not.' }],
  ['', { problem: '"" is no port: write 443, 8000-8100, or the name of a port such as http.' }],
  ['HTTP', { problem: '"HTTP" is no port: write 443, 8000-8100, or the name of a port such as http.' }],
])('the port %s is read or refused', (text, read) => {
  expect(parsePort(text)).toEqual(read)
})

test('what has no effect, no meaning or no place is said at its field', () => {
  expect(problems({ rules: [rule(anywhere, { action: 'deny' })] })).toEqual([
    'rules.0.action: Network policies of Kubernetes only let in: what no rule lets in is closed. Leave the rule out, or narrow the one that lets it in.',
  ])
  expect(problems({ rules: [rule(anywhere, { protocol: 'any' })] })).toEqual([
    'rules.0.ports: Ports belong to a protocol: choose TCP, UDP or SCTP.',
  ])
  expect(problems({ filtersIn: false, rules: [rule(anywhere)] })).toEqual([
    'rules.0.direction: It has no effect: everything that comes in is open. Close it first.',
  ])
  expect(
    problems({
      rules: [
        rule({ kind: 'subnet', name: 'gone' }),
        rule({ kind: 'group', groupId: 'gone' }),
        rule({ kind: 'range', cidr: '10.0.0.1/8' }),
      ],
    }),
  ).toEqual([
    'rules.0.peer: This network has no subnet "gone" any more. Choose another peer.',
    'rules.1.peer: The group that it names is gone. Choose another peer.',
    'rules.2.peer: 10.0.0.1 lies within a /8 and does not begin it. You may mean 10.0.0.0/8.',
  ])
  expect(
    problems({
      targets: [
        { clusterId: 3, namespace: 'shop', labels: {} },
        { clusterId: 1, namespace: 'other', labels: {} },
        { clusterId: 2, namespace: 'kube-system', labels: {} },
        { clusterId: 2, namespace: 'any', labels: {} },
      ],
    }),
  ).toEqual([
    'targets.0: Its cluster does not take part in this network. Attach it first.',
    'targets.1: The namespace "other" does not take part in this network. Attach it first.',
    'targets.2: Bey leaves the namespaces of the cluster itself alone.',
  ])
})

test('a rule that another covers is found, and of two that are the same the later one', () => {
  const range = (cidr: string) => ({ kind: 'range', cidr }) as const
  const shop = { kind: 'namespace', namespace: 'shop' } as const
  expect(
    coveredBy([
      rule(range('10.0.0.0/8'), { ports: [] }),
      rule(range('10.42.0.0/16'), { ports: ['5432'] }),
      rule(range('11.0.0.0/8')),
      rule(shop),
      rule({ kind: 'workload', namespace: 'shop', labels: { app: 'web' } }),
      rule(shop),
      rule(shop, { ports: ['400-500'] }),
      rule(shop, { direction: 'out' }),
      rule(shop, { protocol: 'udp' }),
      rule(shop, { ports: ['https'] }),
    ]),
  ).toEqual([undefined, 0, undefined, 6, 3, 3, undefined, undefined, undefined, undefined])
})

test('ports are read in a few words', () => {
  expect(portsText(rule(anywhere, { ports: ['443', '8443'] }))).toBe('TCP 443, 8443')
  expect(portsText(rule(anywhere, { ports: [] }))).toBe('TCP, every port')
  expect(portsText(rule(anywhere, { protocol: 'any', ports: [] }))).toBe('any')
})
