import 'reflect-metadata'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'
import { caLifetimeMs, leafLifetimeMs } from './certificate-terms.ts'

const day = 24 * 60 * 60 * 1000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Clocks of other machines may be behind ours. */
const backdatedMs = day

type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** A key and its certificate, both PEM. */
export type KeyPair = { keyPem: string; certificatePem: string; expiresAt: Date }

/** A new certificate authority (P-256) that signs the leaves of this server and nothing else. */
export async function createAuthority(now: Date): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const expiresAt = new Date(now.getTime() + caLifetimeMs)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=Bey CA ${serialNumber().slice(0, 8)}, O=Bey`,
    notBefore: new Date(now.getTime() - backdatedMs),
    notAfter: expiresAt,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    keyPem: await privateKeyPem(keys.privateKey),
    certificatePem: certificate.toString('pem'),
    expiresAt,
  }
}

/** A leaf of `authority` for TLS servers at `hosts` (names and IP addresses). Never outlives the authority. */
export async function createLeaf(authority: KeyPair, hosts: readonly string[], now: Date): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.certificatePem)
  const signingKey = await importPrivateKey(authority.keyPem)
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const expiresAt = new Date(Math.min(now.getTime() + leafLifetimeMs, authority.expiresAt.getTime()))
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${hosts[0] ?? 'localhost'}, O=Bey`,
    issuer: issuer.subjectName,
    notBefore: new Date(now.getTime() - backdatedMs),
    notAfter: expiresAt,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    keyPem: await privateKeyPem(keys.privateKey),
    certificatePem: certificate.toString('pem'),
    expiresAt,
  }
}

/** 16 random bytes, positive (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return Buffer.from(bytes).toString('hex')
}

async function privateKeyPem(key: PrivateKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

function importPrivateKey(pem: string): Promise<PrivateKey> {
  const der = x509.PemConverter.decodeFirst(pem)
  return crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
}
