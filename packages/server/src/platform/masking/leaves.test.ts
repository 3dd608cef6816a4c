import { expect, test } from 'vitest'
import { leavesOf } from './leaves.ts'
import { memberAt } from './structured-value.ts'

const leaves = (value: string) =>
  [...leavesOf(value)].map(({ content }) => (typeof content === 'string' ? content : content.toString('hex')))

const kubeconfig = `apiVersion: v1
kind: Config
users:
- name: admin
  user:
    token: tok-8f2a
    client-key-data: ${Buffer.from('-----BEGIN KEY-----\nMIIEvQIBADAN\n-----END KEY-----\n').toString('base64')}
`

test.each<[string, string, string[]]>([
  [
    'JSON',
    '{"a":{"b":["first-leaf",{"c":"second-leaf"}]},"n":987654}',
    ['first-leaf', 'second-leaf', '987654'],
  ],
  ['digits that a number loses', '{"n":12345678901234567890}', ['12345678901234567890']],
  ['JSON within JSON', JSON.stringify({ inner: JSON.stringify({ key: 'deep-leaf' }) }), ['deep-leaf']],
  ['a text in JSON', '"quoted\\nleaf"', ['quoted\nleaf', 'leaf']],
  ['a kubeconfig', kubeconfig, ['tok-8f2a', 'MIIEvQIBADAN', 'admin']],
  ['two documents of YAML', 'a: leaf-one\n---\nb: leaf-two', ['leaf-one', 'leaf-two']],
  ['a text of several lines in YAML', 'key: |\n  line-one\n  line-two\n', ['line-one', 'line-two']],
  ['an alias in YAML', 'a: &x shared-leaf\nb: *x', ['shared-leaf']],
  [
    'dotenv',
    '# comment\nexport DB_PASSWORD="p@ss word"\nTOKEN=\'tok-1\' # used\nEMPTY=\nMULTI="one-line\ntwo-line"',
    ['p@ss word', 'tok-1', 'one-line\ntwo-line', 'two-line'],
  ],
  [
    'properties',
    'db.password = hunter2\\!x\nlong=abc\\\n  defgh\n! note\nuni=\\u0070ass',
    ['hunter2!x', 'abcdefgh', 'pass'],
  ],
  ['an address', 'postgres://shop:s%2Fcret@db.internal:5432/shop', ['s%2Fcret', 's/cret']],
  ['a connection string', 'Server=db;User Id=sa;Password=Sw0rd!', ['Sw0rd!']],
  ['base64 of JSON', Buffer.from('{"token":"in-base64"}').toString('base64'), ['in-base64']],
  ['base64 of a login', Buffer.from('shop:pa55').toString('base64'), ['shop:pa55', 'pa55']],
  ['base64 without its padding', 'aHVudGVyMg==', ['aHVudGVyMg', 'hunter2']],
  [
    'bytes in base64',
    Buffer.from('00ff10a0b0c0d0e0f0aabbcc', 'hex').toString('base64'),
    ['00ff10a0b0c0d0e0f0aabbcc'],
  ],
])('the leaves of %s are found', (_name, value, expected) => {
  expect(leaves(value)).toEqual(expect.arrayContaining([value, ...expected]))
})

test.each(['', 'abc', '{"pin":"12"}', 'a: 1'])('%j has no leaf of fewer than four characters', (value) => {
  expect(leaves(value).filter((leaf) => leaf.length < 4)).toEqual([])
})

test.each([
  '[[[['.repeat(10_000),
  '{"a":'.repeat(20_000),
  'a:\n- '.repeat(2_000),
  '- '.repeat(30_000),
  'a="'.repeat(20_000),
])('a value that cannot be read is known as a whole (%#)', (value) => {
  expect(leaves(value)).toContain(value)
})

test.each([
  ['{"private_key":"leaf"}', 'private_key', 'leaf'],
  [kubeconfig, 'users.0.user.token', 'tok-8f2a'],
  ['A=1\nDB=two', 'DB', 'two'],
  ['{"a":{"b":1}}', 'a', '{"b":"1"}'],
  ['{"a":"x"}', 'a.length', undefined],
  ['{"a":"x"}', 'constructor', undefined],
  ['plain', 'a', undefined],
])('%j has at %s %j', (value, path, expected) => {
  expect(memberAt(value, path)).toBe(expected)
})
