import type { ConnectionProblem } from '@bey/contract'

import type { ContextConnection } from '../kubeconfig.ts'
import { day, type ShownCertificate } from './certificate-chain.ts'

/** Why a certificate is not taken, which one of the chain is at fault, and what to do. */
export function certificateProblem(
  { chain, refusal }: ShownCertificate,
  { caPem }: ContextConnection,
  name: string,
): ConnectionProblem & { detailInList: string } {
  const unsent = 'Nothing was sent to it, so no credential has left Bey.'
  const [own] = chain
  const last = chain.at(-1)
  const of = (title: string, detail: string, detailInList: string) => ({
    title,
    detail: `${detail} ${unsent}`,
    detailInList,
    commands: [],
  })
  const trusted =
    caPem === '' ? 'among the authorities that this machine trusts' : 'in certificate-authority-data'
  const isSelfSigned = chain.length === 1 && own?.subject === own?.issuer
  switch (isSelfSigned && isUntrusted(refusal) ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : refusal) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return of(
        'The server’s certificate is for another name.',
        `The kubeconfig asks for ${name}, and the certificate is for ${list(own?.names ?? [])}. Use one of these names as server, or set tls-server-name.`,
        'wrong name',
      )
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID': {
      const faulty = chain.find(({ problem }) => problem !== null)
      const which = faulty === undefined ? 'An authority that the kubeconfig names' : faulty.subject
      if (refusal === 'CERT_NOT_YET_VALID')
        return of(
          'A certificate is not valid yet.',
          `${which} begins to be valid${faulty ? ` on ${day(faulty.validFrom)}` : ' later'}. The clock of this machine or of the server may be wrong.`,
          'not valid yet',
        )
      return of(
        faulty === own
          ? 'The server’s certificate has expired.'
          : 'A certificate of the server’s chain has expired.',
        `${which} expired${faulty ? ` on ${day(faulty.validTo)}` : ''}. Renew it on the cluster, for example with kubeadm certs renew, and test again.`,
        'expired',
      )
    }
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return of(
        'The server’s certificate signs itself.',
        `It comes from no authority, and it is not ${trusted}. Compare its fingerprint with the one on the server before you trust it.`,
        'self-signed',
      )
    default:
      return of(
        caPem === ''
          ? 'The server’s certificate comes from an authority that this machine does not know.'
          : 'The server’s certificate comes from an authority that the kubeconfig does not name.',
        `Bey reached the server and it answered, but its chain ends at ${last?.subject === own?.subject ? (last?.issuer ?? 'an authority') : (last?.subject ?? 'an authority')}, which is not ${trusted}. Add the CA bundle of the cluster, or trust this authority after you compared its fingerprint.`,
        'unknown authority',
      )
  }
}

/** Refused for whom it comes from, not for its name or its time. */
function isUntrusted(refusal: string | undefined): boolean {
  return !/ALTNAME|EXPIRED|NOT_YET/.test(refusal ?? '')
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'no name at all'
  const shown = names.slice(0, 6).join(', ')
  return names.length > 6 ? `${shown} and ${names.length - 6} more` : shown
}
