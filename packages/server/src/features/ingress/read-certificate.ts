import { X509Certificate } from 'node:crypto'
import type { IngressCertificate } from '@bey/contract'
import { ingressLimits } from '@bey/contract/ingress/rules'

import { trustOptions } from '../../platform/outbound/tls-options.ts'

type CertificateFacts = NonNullable<IngressCertificate['facts']>

/** What a file of certificates says of itself: facts and what is wrong with its chain, or why it cannot be read. */
export type ReadCertificate = { facts: CertificateFacts; problems: string[] } | { unreadable: string }

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Reads `tls.crt`: certificates in PEM, that of the server first. Nothing of it depends on the time of day. */
export function readCertificate(pem: string): ReadCertificate {
  const blocks = pem.match(block) ?? []
  if (blocks.length === 0) return { unreadable: 'tls.crt holds no certificate in PEM.' }
  const chain: X509Certificate[] = []
  for (const [index, text] of blocks.slice(0, ingressLimits.chain).entries()) {
    try {
      chain.push(new X509Certificate(text))
    } catch {
      // The reason of OpenSSL names only the byte where it gave up.
      return { unreadable: `Certificate ${index + 1} in tls.crt is damaged.` }
    }
  }
  const [leaf] = chain
  if (leaf === undefined) return { unreadable: 'tls.crt holds no certificate in PEM.' }
  const problems = chainProblems(chain)
  const last = chain.at(-1) ?? leaf
  const isTrusted = problems.length === 0 && isFromTrusted(last)
  const isSelfSigned = isOwnIssuer(leaf)
  if (leaf.ca && chain.length > 1)
    problems.push('The first certificate is that of an authority, not that of a server.')
  return {
    facts: {
      subject: nameOf(leaf.subject) || namesOf(leaf)[0] || 'no name',
      issuer: nameOf(leaf.issuer),
      names: namesOf(leaf).slice(0, ingressLimits.names),
      notBefore: leaf.validFromDate.toISOString(),
      expiresAt: leaf.validToDate.toISOString(),
      keyType: keyTypeOf(leaf),
      fingerprint: fingerprintOf(leaf),
      isSelfSigned,
      isTrusted,
      chain: chain.map((each) => ({
        subject: nameOf(each.subject) || 'no name',
        issuer: nameOf(each.issuer),
        expiresAt: each.validToDate.toISOString(),
        isSelfSigned: isOwnIssuer(each),
      })),
    },
    problems,
  }
}

/** SHA-256 of a certificate in hex, lower case and without colons. */
export function fingerprintOf({ fingerprint256 }: Pick<X509Certificate, 'fingerprint256'>): string {
  return fingerprint256.replaceAll(':', '').toLowerCase()
}

/** Gaps and a wrong order, and links that end before the server certificate does. */
function chainProblems(chain: readonly X509Certificate[]): string[] {
  const problems: string[] = []
  for (const [index, each] of chain.entries()) {
    const next = chain[index + 1]
    if (next === undefined || isIssuedBy(each, next)) continue
    const issuer = chain.findIndex((other, place) => place !== index && isIssuedBy(each, other))
    const name = nameOf(each.subject) || `certificate ${index + 1}`
    problems.push(
      issuer === -1
        ? `The chain has a gap: ${name} was issued by ${nameOf(each.issuer)}, which is not in tls.crt.`
        : `The chain is not in order: the issuer of ${name} is certificate ${issuer + 1} instead of ${index + 2}.`,
    )
  }
  const [leaf, ...others] = chain
  const early = others.find((each) => leaf && each.validToDate.getTime() < leaf.validToDate.getTime())
  if (early && problems.length === 0) {
    const day = early.validToDate.toISOString().slice(0, 10)
    problems.push(`${nameOf(early.subject)} in the chain ends before it, on ${day}.`)
  }
  return problems
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

const isOwnIssuer = (certificate: X509Certificate) => isIssuedBy(certificate, certificate)

let roots: Map<string, X509Certificate[]> | undefined

/** Authorities that this machine trusts by their names; read once. */
function trustedRoots(): Map<string, X509Certificate[]> {
  if (roots) return roots
  roots = new Map()
  const { ca } = trustOptions('')
  for (const pem of Array.isArray(ca) ? ca : []) {
    try {
      const root = new X509Certificate(pem)
      roots.set(root.subject, [...(roots.get(root.subject) ?? []), root])
    } catch {
      // What this machine lists and OpenSSL cannot read issues nothing here.
    }
  }
  return roots
}

function isFromTrusted(last: X509Certificate): boolean {
  return (trustedRoots().get(last.issuer) ?? []).some((root) => isIssuedBy(last, root))
}

/** The common name of a distinguished name, or else its organization, or else all of it. */
export function nameOf(distinguished: string): string {
  const parts = new Map<string, string>()
  for (const line of distinguished.split('\n')) {
    const [key = '', ...value] = line.split('=')
    if (!parts.has(key)) parts.set(key, value.join('='))
  }
  return (parts.get('CN') ?? parts.get('O') ?? distinguished.replaceAll('\n', ', ')).slice(0, 200)
}

/** DNS names and addresses. A name with odd characters is quoted by Node, and is for no host. */
function namesOf({ subjectAltName }: X509Certificate): string[] {
  return (subjectAltName ?? '').split(', ').flatMap((text) => {
    const [, name] = /^(?:DNS|IP Address):([^"]+)$/.exec(text) ?? []
    return name === undefined ? [] : [name.slice(0, 253)]
  })
}

function keyTypeOf({ publicKey }: X509Certificate): string {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details } = publicKey
  if (type === 'rsa' || type === 'rsa-pss') return `RSA ${details?.modulusLength ?? ''}`.trim()
  if (type === 'ec') return `EC ${curves[details?.namedCurve ?? ''] ?? details?.namedCurve ?? ''}`.trim()
  return type
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
}
