import { impactTimes } from '@bey/contract'
import type { Impact } from '../../data/relations.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type ImpactLine, impactLines } from './impact-rows.ts'
import { timeTitles } from './relation-text.ts'
import type { DeleteImpactState } from './use-delete-impact.ts'

const maxLines = 7

interface DeleteImpactProps extends DeleteImpactState {
  /** The dialog itself lists what is deleted with it. */
  isListedAbove?: boolean
}

/** What a deletion breaks, and when, in a dialog that asks whether to delete. */
export function DeleteImpact({ impact, added, failure, isListedAbove = false }: DeleteImpactProps) {
  return (
    <div aria-live="polite" className="flex flex-col gap-2">
      {added > 0 ? (
        <Notice
          tone="warn"
          title={`${added === 1 ? '1 thing' : `${added} things`} came to need it since you opened this.`}
        >
          Nothing was deleted. Look at what breaks now, and confirm again.
        </Notice>
      ) : null}
      {failure !== undefined ? (
        <p className="text-text-2">What needs it could not be read: {failure}</p>
      ) : impact === undefined ? (
        <p className="text-text-2">Reading what needs it …</p>
      ) : (
        <Breaks impact={impact} isListedAbove={isListedAbove} />
      )}
    </div>
  )
}

function Breaks({ impact, isListedAbove }: { impact: Impact; isListedAbove: boolean }) {
  const lines = impactLines(impact.rows)
  const isSerious = lines.some(({ isDanger }) => isDanger)
  const groups = [
    ...(isListedAbove ? [] : [{ title: 'Deleted with it', group: impact.goesWith }]),
    { title: 'Left without use', group: impact.unused },
    { title: 'Kept', group: impact.kept },
  ].filter(({ group }) => group.total > 0)
  return (
    <>
      <p className={cx('wrap-anywhere', isSerious && 'text-danger')}>{impact.text}</p>
      {lines.length > 0 ? (
        <>
          <div className="flex items-baseline justify-between gap-3">
            <h3 className="font-medium">What breaks, and when</h3>
            <Link
              href={`/entity-relationships?${new URLSearchParams({ mode: 'blast', of: impact.resource.id, act: 'deleted' }).toString()}`}
              className="text-small text-text-2 underline underline-offset-3"
            >
              Open in the graph
            </Link>
          </div>
          <TimeRows lines={lines} />
          {lines.length > maxLines ? (
            <p className="text-small text-text-2">{lines.length - maxLines} more in the graph</p>
          ) : null}
        </>
      ) : null}
      {groups.length > 0 ? (
        <dl className="flex flex-wrap gap-x-6 gap-y-2 border-t border-line pt-2">
          {groups.map(({ title, group }) => (
            <div key={title} className="min-w-0">
              <dt className="font-medium">
                {title} <span className="font-normal tabular-nums">{group.total}</span>
              </dt>
              <dd className="text-small text-text-2 wrap-anywhere">
                {group.total <= 3 ? group.rows.map(({ name }) => name).join(', ') : group.text}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  )
}

/** A row begins at the moment at which it breaks. Only the moments that occur have a column. */
function TimeRows({ lines }: { lines: readonly ImpactLine[] }) {
  const times = impactTimes.filter((time) => lines.some(({ when }) => when === time))
  return (
    <div>
      <div aria-hidden className="flex pb-1 pl-[38%] text-meta text-text-2">
        {times.map((time) => (
          <span key={time} className="min-w-0 flex-1 truncate pl-1.5">
            {timeTitles[time]}
          </span>
        ))}
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {lines.slice(0, maxLines).map(({ key, name, text, when, isDanger }) => (
          <li key={key} className="flex min-h-7 items-center">
            <span className="w-[38%] shrink-0 truncate pr-2 font-medium" title={name}>
              {name}
            </span>
            <span className="relative min-w-0 flex-1 self-stretch">
              <span
                className={cx(
                  'absolute inset-y-1.5 right-0 border-l-3',
                  isDanger ? 'border-danger bg-danger-soft' : 'border-warn bg-warn-soft',
                )}
                style={{ left: `${(times.indexOf(when) / times.length) * 100}%` }}
                aria-hidden
              />
              <span
                className={cx(
                  'absolute inset-y-0 right-0 flex items-center truncate pl-2 text-small',
                  isDanger ? 'text-danger' : 'text-warn',
                )}
                style={{ left: `${(times.indexOf(when) / times.length) * 100}%` }}
              >
                <span className="truncate" title={text}>
                  {text}
                </span>
                <span className="sr-only">, {timeTitles[when].toLowerCase()}</span>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
