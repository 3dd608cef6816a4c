import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAuthority, createLeaf } from '../../platform/certificate/certificate.ts'
import { readFacts } from './facts.ts'

const authority = await createAuthority(new Date())
const leaf = await createLeaf(authority, ['shop.example.com'], new Date())
const other = await createLeaf(authority, ['other.example.com'], new Date())
const chain = `${leaf.certificatePem}\n${authority.certificatePem}\n`

const facts = (certificate: string, privateKey: string) =>
  readFacts('certificate', { encoding: 'utf8', value: { certificate, privateKey } })

test('a certificate with its chain in order and its own key is taken', async () => {
  expect((await facts(chain, leaf.keyPem)).certificate).toMatchObject({
    chainLength: 2,
    names: ['shop.example.com'],
  })
  expect((await facts(leaf.certificatePem, leaf.keyPem)).certificate?.chainLength).toBe(1)
})

const { privateKey } = generateKeyPairSync('ed25519')
const encrypted = privateKey
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' })
  .toString()

test.each([
  ['the key of another', chain, other.keyPem, 'value.privateKey', 'does not belong to the first certificate'],
  ['an encrypted key', chain, encrypted, 'value.privateKey', 'or it is encrypted'],
  ['no key', chain, 'canary', 'value.privateKey', 'This is no private key in PEM'],
  [
    'a chain upside down',
    `${authority.certificatePem}\n${leaf.certificatePem}`,
    leaf.keyPem,
    'value.certificate',
    'certificate 1 was not issued by certificate 2',
  ],
  [
    'a chain with a foreign certificate',
    `${leaf.certificatePem}\n${other.certificatePem}`,
    leaf.keyPem,
    'value.certificate',
    'The chain is not in order',
  ],
])('%s is refused at its field', async (_name, certificate, key, path, message) => {
  const refusal = await facts(certificate, key).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ errors: [{ path, message: expect.stringContaining(message) as string }] })
  expect(JSON.stringify(refusal)).not.toContain('canary')
})
