import { maxKubeconfigBytes } from '@bey/contract'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createAuthority, createLeaf } from '../../../platform/certificate/certificate.ts'
import { AppError } from '../../../platform/errors.ts'
import { entryOf, readKubeconfig } from './kubeconfig.ts'
import { soonMs } from '../../../testing/soon.ts'

const authority = await createAuthority(new Date())
const client = await createLeaf(authority, ['ada'], new Date())
const base64 = (text: string) => Buffer.from(text).toString('base64')

type Part = Record<string, unknown>

function given(user: Part = { token: 'secret-token' }, cluster: Part = {}, context: Part = {}): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod',
    clusters: [{ name: 'c', cluster: { server: 'https://api.example.com:6443/', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'prod', context: { cluster: 'c', user: 'u', ...context } }],
  })
}

const one = (text: string) => entryOf(readKubeconfig(text), 'prod')
const titles = (text: string) => one(text).problems.map(({ title }) => title)

function refusal(text: string): AppError {
  try {
    readKubeconfig(text)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was read')
}

test('a token, a CA bundle and a namespace are read', () => {
  const entry = one(
    given(
      { token: ' t \n' },
      { 'certificate-authority-data': base64(authority.certificatePem) },
      { namespace: 'shop' },
    ),
  )
  expect(entry).toMatchObject({
    server: 'https://api.example.com:6443',
    namespace: 'shop',
    credential: 'token',
    problems: [],
  })
  expect(entry.connection).toEqual({
    url: 'https://api.example.com:6443',
    caPem: authority.certificatePem,
    token: 't',
  })
})

test('a client certificate, tls-server-name, proxy-url, skipped checks and impersonation are read', () => {
  const entry = one(
    given(
      {
        'client-certificate-data': base64(client.certificatePem),
        'client-key-data': base64(client.keyPem),
        as: 'root',
        'as-groups': ['system:masters'],
        'as-user-extra': { scope: ['a'] },
      },
      {
        'insecure-skip-tls-verify': true,
        'tls-server-name': 'inner',
        'proxy-url': 'http://ada:pw@proxy:3128',
      },
    ),
  )
  expect(entry.problems).toEqual([])
  expect(entry.credential).toBe('client-certificate')
  expect(entry.connection).toMatchObject({
    clientCertificate: { certificatePem: client.certificatePem, keyPem: client.keyPem },
    skipsTlsVerify: true,
    tlsServerName: 'inner',
    proxyUrl: 'http://ada:pw@proxy:3128',
    actsAs: { user: 'root', groups: ['system:masters'], extra: { scope: ['a'] } },
  })
})

test.each<[string, Part, Part, string]>([
  [
    'an exec plug-in',
    { exec: { command: '/usr/bin/cloud-login', args: ['--secret'] } },
    {},
    'It logs in with a program',
  ],
  ['an auth-provider', { 'auth-provider': { name: 'gcp' } }, {}, 'It logs in with an auth-provider'],
  ['a password', { username: 'ada', password: 'pw' }, {}, 'It logs in with a password'],
  ['a token file', { tokenFile: '/token' }, {}, 'It names files of credentials'],
  [
    'certificate files',
    { 'client-certificate': 'a', 'client-key': 'b' },
    {},
    'It names files of credentials',
  ],
  ['no credentials', {}, {}, 'It has no credentials'],
  ['groups without a user', { token: 't', 'as-groups': ['a'] }, {}, 'It impersonates nobody'],
  ['a token with a line break', { token: 'a\nb' }, {}, 'Its credentials cannot be sent'],
  [
    'half a certificate',
    { 'client-certificate-data': base64(client.certificatePem) },
    {},
    'Its client certificate cannot be read',
  ],
  ['a CA file', { token: 't' }, { 'certificate-authority': '/ca.crt' }, 'It names a file of certificates'],
  [
    'a CA that is none',
    { token: 't' },
    { 'certificate-authority-data': base64('no') },
    'Its CA bundle cannot be read',
  ],
  ['plain http', { token: 't' }, { server: 'http://api:8080' }, 'Its server is not encrypted'],
  ['no address', { token: 't' }, { server: 'api:6443' }, 'Its server is not an address'],
  [
    'a password in the address',
    { token: 't' },
    { server: 'https://a:b@api' },
    'Its server has more than an address',
  ],
  ['a SOCKS proxy', { token: 't' }, { 'proxy-url': 'socks5://proxy' }, 'Its proxy cannot be used'],
])('%s is refused with what to do instead', (_what, user, cluster, title) => {
  const entry = one(given(user, cluster))
  expect(entry.problems.map((each) => each.title)).toEqual([title])
  expect(entry.connection).toBeUndefined()
  expect(entry.problems[0]?.detail).not.toBe('')
})

test('the commands that help name the context, and make a token where only that helps', () => {
  expect(one(given({ tokenFile: 'x' })).problems[0]?.commands).toEqual([
    'kubectl config view --raw --flatten --minify --context prod',
  ])
  expect(one(given({ exec: { command: 'x' } })).problems[0]?.commands.join('\n')).toContain(
    'create serviceaccount bey',
  )
})

test('everything that is wrong of a context is reported at once', () => {
  const text = given({ tokenFile: 'x', username: 'a' }, { server: 'http://x', 'certificate-authority': 'y' })
  expect(titles(text)).toHaveLength(4)
})

test('a context whose cluster or user is not there says so, and others go on', () => {
  const kubeconfig = readKubeconfig(
    stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://a' } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [
        { name: 'good', context: { cluster: 'c', user: 'u' } },
        { name: 'lost', context: { cluster: 'x', user: 'y' } },
        { name: 'empty', context: null },
      ],
    }),
  )
  expect(kubeconfig.entries.map(({ problems }) => problems.length)).toEqual([0, 2, 1])
  expect(() => entryOf(kubeconfig, 'none')).toThrow('no context "none"')
})

test.each([
  ['nothing', '  \n', 'is empty'],
  ['a comment', '# nothing\n', 'is empty'],
  ['a text', 'hello', 'not a kubeconfig'],
  ['a Kubernetes object', 'kind: Pod\nmetadata: {}\n', 'is a Kubernetes object'],
  ['no contexts', 'kind: Config\n', 'has no contexts'],
  ['two documents', 'a: 1\n---\nb: 2\n', '2 YAML documents'],
  ['more than anybody has', `a: ${'x'.repeat(maxKubeconfigBytes)}`, 'at most'],
  ['an alias', 'a: &a [1]\nb: *a\n', 'aliases'],
  ['a laughing bomb', `a: &a [x,x]\n${'bcdefgh'.replace(/./g, (c) => `${c}: &${c} [*a,*a]\n`)}`, 'aliases'],
  ['deep brackets', '['.repeat(20_000), 'nested more deeply|not valid YAML'],
  ['deep maps', `${'{a: '.repeat(500)}1${'}'.repeat(500)}`, 'nested more deeply'],
  ['too many entries', `a: [${'1,'.repeat(60_000)}1]`, 'more entries'],
  ['clusters that are none', 'clusters: 7\ncontexts: [{name: a}]\n', 'clusters'],
])('a file with %s is refused with a sentence', (_what, text, sentence) => {
  const { code, message } = refusal(text)
  expect(code).toBe('invalid_request')
  expect(message).toMatch(new RegExp(sentence))
})

test('every line that is wrong is reported at once, by its number and without its content', () => {
  const { message, errors } = refusal('a: secret: secret\nb:\n\t- secret\nc: {secret\n')
  expect(errors?.length).toBeGreaterThan(1)
  expect(errors?.every(({ message: each }) => /^Line \d+: /.test(each))).toBe(true)
  expect(message).not.toContain('secret')
})

test('keys that stand twice are shown with their lines, however many keys there are', () => {
  expect(refusal('a: 1\nb:\n  c: 1\n  c: 2\na: 2\n').errors?.map(({ message }) => message)).toEqual([
    'Line 5: this key stands in its map already.',
    'Line 4: this key stands in its map already.',
  ])
  const started = Date.now()
  const keys = Array.from({ length: 40_000 }, (_, index) => `k${index}: 1`).join('\n')
  expect(refusal(keys).message).toMatch('more entries')
  expect(Date.now() - started).toBeLessThan(soonMs)
})

test('nothing of a refused file repeats a token', () => {
  const text = given(
    { exec: { command: 'login', args: ['secret-token'] }, token: 'secret-token' },
    { server: 'https://u:secret-token@x' },
  )
  expect(JSON.stringify({ ...one(text), connection: undefined })).not.toContain('secret-token')
})
