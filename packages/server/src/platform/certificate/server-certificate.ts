import type { Clock } from '../clock.ts'
import type { Certificate, CertificateSource } from '../http/tls-listener.ts'
import type { Log } from '../log.ts'
import {
  type CertificatePurpose,
  type CertificateStore,
  type Certificates,
  loadCertificates,
} from './certificate-store.ts'

const checkPeriodMs = 12 * 60 * 60 * 1000

export type ServerCertificate = CertificateSource & {
  /** PEM of the authorities that a client must trust to reach this server, today and after the next renewal. */
  trusted(): string
  /** Renews what is due; happens by itself twice a day. */
  renew(): Promise<void>
  stop(): void
}

type Deps = CertificateStore & { clock: Clock; log: Log }

/**
 * The certificate of the HTTPS listener, or of the servers of databases, for `hosts`. It and its authority are kept sealed in
 * the database, so all processes share them and kubeconfigs outlive a restart.
 */
export async function openServerCertificate(
  deps: Deps,
  hosts: readonly string[],
  purpose: CertificatePurpose = 'https',
): Promise<ServerCertificate> {
  const { clock, log } = deps
  const listeners = new Set<(certificate: Certificate) => void>()
  let held: Certificates = await loadCertificates(deps, hosts, clock.now(), purpose)

  const current = (): Certificate => ({
    key: held.leaf.keyPem,
    cert: held.leaf.certificatePem,
    ca: held.authority.certificatePem,
  })

  let renewing: Promise<void> | undefined
  // One at a time: each loads and replaces what the next would start from.
  const renew = () => (renewing ??= renewOnce().finally(() => (renewing = undefined)))

  async function renewOnce(): Promise<void> {
    const before = held.leaf.certificatePem
    held = await loadCertificates(deps, hosts, clock.now(), purpose)
    if (held.leaf.certificatePem === before) return
    for (const listener of listeners) listener(current())
  }

  const stop = clock.setInterval(() => {
    renew().catch((error: unknown) => log.error({ err: error, purpose }, 'A certificate was not renewed'))
  }, checkPeriodMs)

  return {
    current,
    trusted: () => [held.authority, held.successor].map((each) => each?.certificatePem ?? '').join(''),
    onRenewed(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    renew,
    stop,
  }
}

/** Names and addresses that the certificate is for: this machine's own, and the host of the public URL. */
export function certificateHosts(publicUrl: string | undefined): string[] {
  const host = publicUrl && new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  return [...new Set(['localhost', '127.0.0.1', '::1', ...(host ? [host] : [])])]
}
