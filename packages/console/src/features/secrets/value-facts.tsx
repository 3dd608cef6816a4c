import type { SecretDetail, SecretFacts } from '@bey/contract'
import { secretFields } from '@bey/contract'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'

/** What a value says of itself that is no secret: host and user, or subject and validity of a certificate. */
export function ValueFacts({
  facts,
  type,
  isCard = false,
}: {
  facts: SecretFacts
  type: SecretDetail['type']
  isCard?: boolean
}) {
  const lines = factsOf(facts, type)
  if (lines.length === 0) return null
  return (
    <Section title="Read from the value" isCard={isCard}>
      <Facts facts={lines} />
    </Section>
  )
}

function factsOf({ fields, certificate, contexts }: SecretFacts, type: SecretDetail['type']): Fact[] {
  // In the order of the form, which the stored fields do not keep.
  const lines: Fact[] = secretFields[type].flatMap(({ name, label }) => {
    const value = fields[name]
    return value === undefined ? [] : [{ label, value: <span className="break-all">{value}</span> }]
  })
  if (certificate) {
    lines.push(
      { label: 'Subject', value: certificate.subject },
      { label: 'Issuer', value: certificate.issuer },
      { label: 'Names', value: certificate.names.join(', ') || '—' },
      { label: 'Valid from', value: <RelativeTime at={certificate.notBefore} /> },
      { label: 'Valid until', value: <RelativeTime at={certificate.notAfter} /> },
      { label: 'Certificates in the chain', value: certificate.chainLength },
      {
        label: 'SHA-256 fingerprint',
        value: <code className="font-mono text-small break-all">{certificate.fingerprint}</code>,
      },
    )
  }
  if (contexts.length > 0) lines.push({ label: 'Contexts', value: contexts.join(', ') })
  return lines
}
