import { Bell, Mail, Webhook } from 'lucide-react'
import type { AlertHistory } from '../../data/alerts.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { momentText } from '../../ui/time-text.ts'

const places = {
  console: { label: 'In Bey', Icon: Bell },
  mail: { label: 'E-mail', Icon: Mail },
  channel: { label: 'Channel', Icon: Webhook },
} as const

/** Who was notified of the alert in the last 7 days, when and where. */
export function NotifiedRows({ notified }: { notified: AlertHistory['notified'] }) {
  return (
    <Section
      title="Who was notified"
      aside={<Link href="/workspaces/settings/notifications">Notification rules</Link>}
    >
      {notified.length === 0 ? (
        <p className="border-t border-line py-3 text-text-2">Nobody in the last 7 days.</p>
      ) : (
        <ul className="border-t border-line">
          {notified.map(({ at, event, kind, names, isSent }) => {
            const { label, Icon } = places[kind]
            return (
              <li
                key={`${at}${event}${kind}`}
                className="flex items-center gap-3 border-b border-line py-2.5"
              >
                <span className="w-24 shrink-0 text-text-2">{momentText(at)}</span>
                <Icon size={14} aria-hidden className="shrink-0 text-text-3" />
                <span className="shrink-0 font-medium">{label}</span>
                <span
                  className="min-w-0 flex-1 truncate text-right text-text-2"
                  data-tooltip={names.join(', ')}
                >
                  {isSent ? namesText(names) : `${namesText(names)}, not sent yet`}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

/** The first two, and how many others. */
function namesText(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ')
  return `${names[0]} and ${names.length - 1} others`
}
