import { getCACertificates, type SecureContextOptions } from 'node:tls'

/** What to trust of a server that a user named. `caPem` empty: what this machine trusts. */
export function trustOptions(caPem: string): Pick<SecureContextOptions, 'ca' | 'allowPartialTrustChain'> {
  // As Go and kubectl do: an authority that was named is trusted whether or not it is itself signed by another.
  return caPem === '' ? { ca: systemAuthorities() } : { ca: caPem, allowPartialTrustChain: true }
}

let authorities: string[] | undefined

/** Node's own list and that of the machine, read once. */
function systemAuthorities(): string[] {
  authorities ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
  return authorities
}
