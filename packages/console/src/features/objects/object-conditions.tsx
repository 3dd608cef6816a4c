import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import type { Condition } from './kubernetes-object.ts'
import { isTrouble } from './kubernetes-object.ts'

/** What controllers report of an object, trouble first. */
export function ObjectConditions({ conditions }: { conditions: readonly Condition[] }) {
  const sorted = conditions.toSorted((a, b) => Number(isTrouble(b)) - Number(isTrouble(a)))
  return (
    <Section title="Conditions">
      <ul className="divide-y divide-line border-y border-line">
        {sorted.map((condition) => (
          <li
            key={condition.type}
            className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[12rem_minmax(0,1fr)_7.5rem]"
          >
            <Status
              status={isTrouble(condition) ? 'failing' : 'healthy'}
              label={words(condition.type ?? '')}
            />
            <span className="min-w-0 break-words text-text-2">
              {[condition.reason && words(condition.reason), condition.message].filter(Boolean).join(': ') ||
                (condition.status === 'True' ? 'Yes' : condition.status === 'False' ? 'No' : 'Unknown')}
            </span>
            <span className="text-text-2 sm:text-right">
              <RelativeTime at={condition.lastTransitionTime ?? null} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** "MinimumReplicasAvailable" as "Minimum replicas available". */
function words(name: string): string {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
  return spaced.charAt(0) + spaced.slice(1).replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}
