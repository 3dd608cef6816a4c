import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { keyAlgorithm, newSerial } from './certificates.ts'

export type Authority = { caPem: string; caKeyPem: string }

/** Issues the certificate that a PKCS #10 request in PEM asks for. Throws when the request is not what it says. */
export async function signRequest(
  { caPem, caKeyPem }: Authority,
  requestPem: string,
  usages: readonly string[],
  nowMs: number,
  forMs: number,
): Promise<string> {
  const request = new Pkcs10CertificateRequest(requestPem)
  if (!(await request.verify())) throw new Error('the signature of the request does not match its key')
  const pkcs8 = PemConverter.decodeFirst(caKeyPem)
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, keyAlgorithm, false, ['sign'])
  const names = request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension)
  const extended = [
    ...(usages.includes('client auth') ? [ExtendedKeyUsage.clientAuth] : []),
    ...(usages.includes('server auth') ? [ExtendedKeyUsage.serverAuth] : []),
  ]
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: request.subject,
    issuer: new X509Certificate(caPem).subject,
    notBefore: new Date(nowMs - 5 * 60_000),
    notAfter: new Date(nowMs + forMs),
    publicKey: request.publicKey,
    signingKey,
    signingAlgorithm: keyAlgorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(
        KeyUsageFlags.digitalSignature |
          (usages.includes('key encipherment') ? KeyUsageFlags.keyEncipherment : 0),
        true,
      ),
      ...(extended.length > 0 ? [new ExtendedKeyUsageExtension(extended)] : []),
      ...(names ? [names] : []),
    ],
  })
  return `${certificate.toString('pem')}\n`
}
