import { X509Certificate } from 'node:crypto'

import { AppError } from '../../../platform/errors.ts'
import { type ContextConnection, entryOf, type KubeconfigEntry, readKubeconfig } from './kubeconfig.ts'
import type { Probe } from './probe/probe.ts'

/** A context, and what somebody decided about the certificate of its cluster. */
export type ChosenContext = {
  context: string
  caPem?: string | undefined
  trustedFingerprint?: string | undefined
}

export type UsableEntry = KubeconfigEntry & { connection: ContextConnection }

/**
 * The context as it shall be connected. Throws AppError `invalid_request` for one that cannot be used, and `conflict` where
 * the server no longer sends the certificate that was trusted.
 */
export async function trustedEntry(
  kubeconfig: string,
  { context, caPem, trustedFingerprint }: ChosenContext,
  probe: Pick<Probe, 'certificate'>,
): Promise<UsableEntry> {
  const entry = entryOf(readKubeconfig(kubeconfig), context)
  const { connection } = entry
  if (connection === undefined) {
    const [first] = entry.problems
    throw new AppError(
      'invalid_request',
      `The context "${context}" cannot be used. ${first?.title ?? ''}: ${first?.detail ?? ''}`,
      {
        errors: entry.problems.map(({ title, detail }) => ({
          path: 'context',
          message: `${title}. ${detail}`,
        })),
      },
    )
  }
  if (caPem !== undefined) return { ...entry, connection: verified(connection, readBundle(caPem)) }
  if (trustedFingerprint === undefined) return { ...entry, connection }
  const found = await probe.certificate(connection, trustedFingerprint)
  if (found !== undefined) return { ...entry, connection: verified(connection, found) }
  throw new AppError(
    'conflict',
    'The server no longer sends the certificate that you compared. Test the connection again and look at its chain.',
  )
}

function verified(connection: ContextConnection, caPem: string): ContextConnection {
  const { skipsTlsVerify: _unchecked, ...rest } = connection
  return { ...rest, caPem }
}

function readBundle(text: string): string {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  const areAll = certificates.every((pem) => {
    try {
      return new X509Certificate(pem).fingerprint256 !== ''
    } catch {
      return false
    }
  })
  if (certificates.length > 0 && areAll) return `${certificates.join('\n')}\n`
  const message = 'This is no CA bundle: it must hold PEM certificates (-----BEGIN CERTIFICATE-----).'
  throw new AppError('invalid_request', message, { errors: [{ path: 'caPem', message }] })
}
