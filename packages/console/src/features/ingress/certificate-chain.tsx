import type { IngressCertificate } from '@bey/contract'
import { dateText } from '../../ui/time-text.ts'

/** The certificates of a chain, that of the server first, each with its end. */
export function CertificateChain({ certificate }: { certificate: IngressCertificate }) {
  const { facts, text } = certificate
  if (facts === null) return <p className="text-text-2">{text}</p>
  const last = facts.chain.at(-1)
  return (
    <ol aria-label="Chain" className="flex flex-col gap-1.5">
      {facts.chain.map((part, index) => (
        <li
          key={`${part.subject} ${part.expiresAt}`}
          className="relative flex min-w-0 flex-wrap items-baseline gap-x-2 pl-5"
        >
          {index === facts.chain.length - 1 ? null : (
            <span aria-hidden className="absolute top-3.5 left-[4.5px] h-full w-px bg-control" />
          )}
          <span
            aria-hidden
            className="absolute top-[5px] left-0 size-2.5 rounded-full border border-control bg-bg"
          />
          <span className="font-medium break-all">{part.subject}</span>
          <span className="text-small text-text-2">until {dateText(new Date(part.expiresAt))}</span>
        </li>
      ))}
      {last === undefined || last.isSelfSigned ? null : (
        <li className="pl-5 text-small text-text-2">
          issued by {last.issuer}
          {facts.isTrusted ? ', which this server trusts' : ', which this server does not know'}
        </li>
      )}
    </ol>
  )
}
