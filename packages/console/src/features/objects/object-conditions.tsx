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
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 py-1.5"
          >
            <Status status={isTrouble(condition) ? 'failing' : 'healthy'} label={conditionText(condition)} />
            <span className="text-small text-text-2">
              <RelativeTime at={condition.lastTransitionTime ?? null} />
            </span>
            <span className="col-span-full min-w-0 text-small break-words text-text-2">
              {[condition.reason && words(condition.reason), condition.message].filter(Boolean).join(': ')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** "Ready: no": the name alone would say the opposite of a condition that is false. */
function conditionText({ type = '', status }: Condition): string {
  const answer = status === 'True' ? 'yes' : status === 'False' ? 'no' : 'unknown'
  return `${words(type)}: ${answer}`
}

/** "MinimumReplicasAvailable" as "Minimum replicas available". */
function words(name: string): string {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
  return spaced.charAt(0) + spaced.slice(1).replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}
