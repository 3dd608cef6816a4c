import { createAuthority, createLeaf, type KeyPair } from '../../../platform/certificate/certificate.ts'
import { leafLifetimeMs } from '../../../platform/certificate/certificate-terms.ts'

export const dayMs = 24 * 60 * 60 * 1000

/** An authority that has been there for a year. */
export const newAuthority = () => createAuthority(new Date(Date.now() - 365 * dayMs))

/** A certificate that ends in so many days; negative: it has ended. */
export function issued(authority: KeyPair, hosts: readonly string[], endsInDays: number): Promise<KeyPair> {
  return createLeaf(authority, hosts, new Date(Date.now() + endsInDays * dayMs - leafLifetimeMs))
}

/** A Secret of type `kubernetes.io/tls`. */
export function tlsSecret(name: string, { keyPem, certificatePem }: KeyPair, ...chain: string[]) {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  return {
    metadata: { name },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': encoded([certificatePem, ...chain].join('\n')), 'tls.key': encoded(keyPem) },
  }
}
