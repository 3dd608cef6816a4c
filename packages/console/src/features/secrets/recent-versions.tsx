import type { SecretDetail } from '@bey/contract'
import { secretHref } from '../../entities/secrets/secret-text.ts'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { statusLook } from '../../ui/status-table.ts'
import { actorText } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'

const shownVersions = 4

/** The newest versions, each with its reason; the way to all of them. */
export function RecentVersions({ secret }: { secret: SecretDetail }) {
  const { data } = useRead('secrets.versions', { params: { id: secret.id } })
  return (
    <Section
      title="Versions"
      aside={
        <Link href={secretHref(secret.id, 'versions')} className="underline underline-offset-4">
          All versions
        </Link>
      }
    >
      {data ? (
        <ul>
          {data.versions.slice(0, shownVersions).map(({ version, status, reason, createdBy, createdAt }) => (
            <li key={version} className="flex items-baseline gap-3 py-1 text-small text-text-2">
              <span className="w-6 shrink-0 font-medium text-text tabular-nums">{version}</span>
              <span className="w-20 shrink-0">{statusLook(status).label}</span>
              <span
                className="min-w-0 flex-1 truncate"
                title={reason ? `${actorText(createdBy)}: ${reason}` : undefined}
              >
                {reason || createdBy.name}
              </span>
              <span className="shrink-0">
                <RelativeTime at={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton className="h-7" />
      )}
    </Section>
  )
}
