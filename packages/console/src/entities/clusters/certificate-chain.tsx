import type { ConnectionTest } from '@bey/contract'
import { dateText } from '../../ui/time-text.ts'
import { cx } from '../../ui/class-names.ts'
import { StatusMark } from '../../ui/status-mark.tsx'

type Certificate = ConnectionTest['chain'][number]

/** Certificates that a server shows, its own first, with the one that is at fault. */
export function CertificateChain({ chain }: { chain: readonly Certificate[] }) {
  return (
    <ul aria-label="Certificates" className="flex flex-col gap-1.5">
      {chain.map((certificate) => (
        <li key={certificate.fingerprint} className="flex items-baseline gap-2">
          <span
            className={cx(
              'flex h-4 items-center self-center',
              certificate.problem ? 'text-danger' : 'text-text-3',
            )}
          >
            <StatusMark glyph={certificate.problem ? 'triangle' : 'dot'} />
          </span>
          <span className="min-w-0 break-words">
            <span className="font-medium">{certificate.subject}</span>{' '}
            <span className="text-small text-text-2">
              {certificate.problem ?? `valid until ${dateText(new Date(certificate.validTo))}`}
              {certificate.problem ? (
                <>
                  {' · '}
                  <span data-tooltip={certificate.fingerprint}>{shortFingerprint(certificate)}</span>
                </>
              ) : null}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** "SHA-256 9C:41:7E…D0:5B". */
function shortFingerprint({ fingerprint }: Certificate): string {
  return `SHA-256 ${fingerprint.slice(0, 8)}…${fingerprint.slice(-5)}`
}
