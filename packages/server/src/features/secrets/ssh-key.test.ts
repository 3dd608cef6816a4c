import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { sshKeyProblem } from './ssh-key.ts'

// Made for this test by ssh-keygen, the second one with a passphrase.
const openSsh = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACAV6rAqztSMvZwkcNjBnxl3G9ybhbRULjFx/YkHlIz0RAAAAIj34WwF9+Fs
BQAAAAtzc2gtZWQyNTUxOQAAACAV6rAqztSMvZwkcNjBnxl3G9ybhbRULjFx/YkHlIz0RA
AAAEAmG8BCvRIyrMLWyDfOioD2iNSEqxg0YbyA/MTWT9Vk9BXqsCrO1Iy9nCRw2MGfGXcb
3JuFtFQuMXH9iQeUjPREAAAAA2FAYgEC
-----END OPENSSH PRIVATE KEY-----
`
const encrypted = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABARIhzWF8
2+CIfHxd+vx2pYAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIEclv7P/2XrCGgN+
IjoGauRMj3RcBCwEB4JkHy8cDk9HAAAAkJ+fseH8W0yfRU5thf0MPMEgnCBb4V5mI0xAlZ
AIvJJY3Gl7J+VTkKQNiQi1VA8ykstTgCgQ/mlpagp8v0nXXDL/2ydpsrqOFWynupd8By5Z
qO3sJ9lnZTsTtKgNE7+S3hBngCkUR23zDF2VwrpeenVYie30+o/DCXVXDBY/s7ORpuTnoM
ZiNdrFuPlRVR4z0w==
-----END OPENSSH PRIVATE KEY-----
`
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBXqsCrO1Iy9nCRw2MGfGXcb3JuFtFQuMXH9iQeUjPRE a@b'
const publicOfEncrypted =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEclv7P/2XrCGgN+IjoGauRMj3RcBCwEB4JkHy8cDk9H root@vm'

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const pkcs1 = pem.export({ type: 'pkcs1', format: 'pem' }).toString()
const pkcs8 = pem.export({ type: 'pkcs8', format: 'pem' }).toString()

test.each([
  ['of OpenSSH', openSsh, undefined],
  ['of OpenSSH with its public key', openSsh, publicKey],
  ['with a passphrase', encrypted, publicOfEncrypted],
  ['with lines of Windows', openSsh.replaceAll('\n', '\r\n'), publicKey],
  ['in PKCS #1', pkcs1, undefined],
  ['in PKCS #8, with a public key that it does not show', pkcs8, publicKey],
])('a key %s is taken', (_name, privateKey, own) => {
  expect(sshKeyProblem({ privateKey, publicKey: own })).toBeUndefined()
})

test.each([
  ['a text', 'canary', undefined, 'privateKey', 'This is no private key of SSH.'],
  ['a public key', publicKey, undefined, 'privateKey', 'This is no private key of SSH.'],
  [
    'a key that was cut',
    openSsh.replace(/\n[^\n]+\n(?=-----END)/, '\n'),
    undefined,
    'privateKey',
    'no private key',
  ],
  ['a key without its end', openSsh.slice(0, -20), undefined, 'privateKey', 'no private key'],
  ['PEM of something else', pkcs8.replaceAll('A', 'B'), undefined, 'privateKey', 'no private key'],
  ['a public key that is none', openSsh, 'ssh-rsa canary', 'publicKey', 'This is no public key'],
  [
    'one of another type than it says',
    openSsh,
    publicKey.replace('ssh-ed25519', 'ssh-rsa'),
    'publicKey',
    'no public key',
  ],
  [
    'the public key of another',
    openSsh,
    publicOfEncrypted,
    'publicKey',
    'does not belong to the private key',
  ],
] as const)('%s is refused at its field', (_name, privateKey, own, field, message) => {
  const problem = sshKeyProblem({ privateKey, publicKey: own })
  expect(problem).toEqual({ field, message: expect.stringContaining(message) as string })
  expect(JSON.stringify(problem)).not.toContain('canary')
})
