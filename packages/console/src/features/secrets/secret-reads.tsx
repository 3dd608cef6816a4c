import type { SecretActivity, SecretDetail } from '@bey/contract'
import { useSecretActivity } from '../../data/secrets.ts'
import { secretHref } from '../../entities/secrets/secret-text.ts'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'

const shownReads = 5

/** The activity of a secret, which only those who manage it may read. */
export const useSecretReads = ({ id, access }: SecretDetail) => useSecretActivity(id, access === 'manage')

/** Who read the value last, and why. The trail is shown to those who manage the secret; others have nothing here. */
export function SecretReads({ secret }: { secret: SecretDetail }) {
  const { data } = useSecretReads(secret)
  if (secret.access !== 'manage') return null
  const reads = (data?.pages[0]?.entries ?? []).filter(({ action }) => action === 'secret.reveal')
  return (
    <Section
      title="Who read it, and why"
      aside={
        <Link href={secretHref(secret.id, 'activity')} className="underline underline-offset-4">
          All activity
        </Link>
      }
    >
      {data && reads.length === 0 ? <p className="text-text-2">No recent reads.</p> : null}
      <ul className="divide-y divide-line">
        {reads.slice(0, shownReads).map((read) => (
          <Read key={read.id} read={read} />
        ))}
      </ul>
    </Section>
  )
}

function Read({ read }: { read: SecretActivity }) {
  const reason = read.diff?.['reason']
  const version = read.diff?.['version']
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <div className="min-w-0">
        <p className="truncate">
          <span className="font-medium">{read.actor}</span>{' '}
          <span className="text-text-2">
            {read.outcome === 'success' ? 'revealed' : 'was refused'}
            {typeof version === 'number' ? ` version ${version}` : ''}
          </span>
        </p>
        {typeof reason === 'string' ? (
          <p className="truncate text-small text-text-2" title={reason}>
            “{reason}”
          </p>
        ) : null}
      </div>
      <span className="shrink-0 text-small text-text-2">
        <RelativeTime at={read.at} />
      </span>
    </li>
  )
}
