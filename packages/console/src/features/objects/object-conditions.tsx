import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { Status } from '../../ui/status.tsx'
import { sinceText } from '../../ui/time-text.ts'
import type { Condition } from './kubernetes-object.ts'
import { isTrouble } from './kubernetes-object.ts'

/** What controllers report of an object: trouble with its reason, and what is as it should be in one line. */
export function ObjectConditions({ conditions }: { conditions: readonly Condition[] }) {
  const isGood = (condition: Condition) => !isTrouble(condition) && condition.status !== 'Unknown'
  const shown = conditions.filter((condition) => !isGood(condition))
  const good = conditions
    .filter(isGood)
    .toSorted((a, b) => Number(b.type === 'Ready') - Number(a.type === 'Ready'))
  return (
    <Section title="Conditions">
      <ul className="divide-y divide-line border-y border-line">
        {shown
          .toSorted((a, b) => Number(isTrouble(b)) - Number(isTrouble(a)))
          .map((condition) => (
            <li
              key={condition.type}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 py-1.5"
            >
              <Status
                status={isTrouble(condition) ? 'failing' : 'unknown'}
                label={conditionText(condition)}
              />
              <span className="text-small text-text-2">
                <RelativeTime at={condition.lastTransitionTime ?? null} />
              </span>
              <span className="col-span-full min-w-0 text-small break-words text-text-2">
                {[condition.reason && words(condition.reason), condition.message].filter(Boolean).join(': ')}
              </span>
            </li>
          ))}
        {good.length > 0 ? (
          <li className="flex gap-1.5 py-1.5">
            <span aria-hidden className="mt-0.5 text-text-3">
              <StatusMark glyph="dot" isBusy={false} />
            </span>
            <span className="flex min-w-0 flex-wrap gap-x-3 text-text-2">
              {good.map((condition) => (
                <span key={condition.type} data-tooltip={goodTooltip(condition)}>
                  {conditionText(condition)}
                </span>
              ))}
            </span>
          </li>
        ) : null}
      </ul>
    </Section>
  )
}

/** "Ready: no": the name alone would say the opposite of a condition that is false. */
function conditionText({ type = '', status }: Condition): string {
  const answer = status === 'True' ? 'yes' : status === 'False' ? 'no' : 'unknown'
  return `${words(type)}: ${answer}`
}

/** Why a condition is as it should be, and since when. */
function goodTooltip(condition: Condition): string {
  const { reason, message, lastTransitionTime: since } = condition
  const why = [reason && words(reason), message].filter(Boolean).join(': ')
  return `${conditionText(condition)}${why && `: ${why}`}${since ? `, since ${sinceText(since)}` : ''}`
}

/** "MinimumReplicasAvailable" as "Minimum replicas available". */
function words(name: string): string {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
  return spaced.charAt(0) + spaced.slice(1).replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}
