import { actorText, auditDidText, deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { auditHref } from '../../entities/audit/audit-href.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { momentText } from '../../ui/time-text.ts'
import { activitySubject } from './resource-activity.ts'
import { resourceHref } from './resource-text.ts'

const maxShown = 5

/** The newest acts on a resource, as the audit log tells them; nothing for whom may not read that. */
export function RecentActivity({ id }: { id: string }) {
  const denied = deniedReason(useRole(), 'audit.read')
  const subject = activitySubject(id)
  const { data } = useList('audit.list', { query: subject }, { isEnabled: denied === undefined })
  if (!data) return null
  return (
    <Section
      title="Activity"
      aside={
        data.entries.length > maxShown ? (
          <Link href={`${resourceHref(id)}?tab=activity`} className="underline underline-offset-3">
            All of it
          </Link>
        ) : undefined
      }
    >
      {data.entries.length === 0 ? (
        <p className="border-t border-line py-2 text-text-2">Nothing was done to it through Bey yet.</p>
      ) : (
        <ul className="border-t border-line">
          {data.entries.slice(0, maxShown).map((entry) => (
            <li key={entry.id} className="flex gap-3 border-b border-line py-1.5">
              <span className="w-28 shrink-0 text-text-2 tabular-nums">{momentText(entry.at)}</span>
              <span className="min-w-0 flex-1 truncate">
                <span className="font-medium">{actorText(entry.actor)}</span> {auditDidText(entry)}
              </span>
              <Link
                href={auditHref({ ...subject, entry: entry.id })}
                className="underline underline-offset-3"
              >
                Entry
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
