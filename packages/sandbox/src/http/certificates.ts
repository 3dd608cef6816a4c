import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

export type Certificates = {
  caPem: string
  /** Missing where the certificates were made before it was kept. */
  caKeyPem?: string
  certificatePem: string
  keyPem: string
}

export const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 60 * 60 * 1000
const lifetimeMs = 3650 * dayMs

export function newSerial(): string {
  // Positive and never zero in its first byte, as DER wants it.
  return `01${randomBytes(15).toString('hex')}`
}

async function pemOfKey(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

/** Makes a certificate authority of its own and a server certificate for these hosts, both good for ten years unless said otherwise. */
export async function makeCertificates(
  name: string,
  hosts: readonly string[],
  nowMs: number,
  forMs = lifetimeMs,
): Promise<Certificates> {
  const notBefore = new Date(nowMs - dayMs)
  const notAfter = new Date(nowMs + forMs)
  const caKeys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify'])
  const common = { notBefore, notAfter, signingAlgorithm: keyAlgorithm }
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...common,
    serialNumber: newSerial(),
    name: `CN=${name} sandbox CA`,
    keys: caKeys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  const keys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify'])
  const alternative = hosts.map((host) => ({
    type: isIP(host) ? ('ip' as const) : ('dns' as const),
    value: host,
  }))
  const certificate = await X509CertificateGenerator.create({
    ...common,
    serialNumber: newSerial(),
    subject: `CN=${name} sandbox`,
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(alternative),
      await AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  return {
    caPem: ca.toString('pem'),
    caKeyPem: await pemOfKey(caKeys.privateKey),
    certificatePem: certificate.toString('pem'),
    keyPem: await pemOfKey(keys.privateKey),
  }
}
