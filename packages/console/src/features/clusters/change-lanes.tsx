import type { Attention, ChangeEntry } from '@bey/contract'
import { cx } from '../../ui/class-names.ts'
import { clockTime, momentText } from '../../ui/time-text.ts'
import { changeKinds, changeLabels } from './change-window.ts'
import { followMs } from './what-followed.ts'

export interface ChangeLanesProps {
  changes: readonly ChangeEntry[]
  window: { from: string; to: string }
  knownSince: string | null
  /** What fails now; undefined while it is read. */
  attention: Attention | undefined
  /** RFC 3339: the change whose row is open. */
  openedAt: string | undefined
}

const mostTroubles = 4
const parts = [0, 0.25, 0.5, 0.75, 1]

/** Where each kind of change lies in time, one lane a kind on one axis, and since when what fails. The list below says the same in words. */
export function ChangeLanes({ changes, window, knownSince, attention, openedAt }: ChangeLanesProps) {
  const fromMs = Date.parse(window.from)
  const lengthMs = Date.parse(window.to) - fromMs
  const percentOf = (atMs: number) => Math.min(100, Math.max(0, ((atMs - fromMs) / lengthMs) * 100))
  const percent = (at: string) => percentOf(Date.parse(at))
  const unknownPercent = knownSince === null ? 100 : percent(knownSince)
  const troubles = (attention?.items ?? [])
    .flatMap(({ key, name, health: { since, state } }) =>
      since !== null && since < window.to ? [{ key, name, since, isFailing: state === 'failing' }] : [],
    )
    .toSorted((a, b) => (a.since < b.since ? -1 : 1))
  return (
    <div aria-hidden className="relative border-b border-line px-(--gutter) py-3">
      {/* The lines of the axis, and the ten minutes after the change that is open. */}
      <div className="absolute top-3 right-(--gutter) bottom-8 left-[calc(var(--gutter)+7rem)]">
        {parts.map((part) => (
          <span
            key={part}
            className="absolute inset-y-0 border-l border-line"
            style={{ left: `${part * 100}%` }}
          />
        ))}
        {openedAt === undefined ? null : (
          <span
            className="absolute inset-y-0 border-l border-accent bg-accent-soft"
            style={{
              left: `${percent(openedAt)}%`,
              width: `${percentOf(Date.parse(openedAt) + followMs) - percent(openedAt)}%`,
            }}
          />
        )}
      </div>
      {changeKinds.map((kind) => {
        const own = changes.filter((change) => change.kind === kind)
        return (
          <div key={kind} className="relative grid h-6 grid-cols-[7rem_minmax(0,1fr)] items-center">
            <span className="flex justify-between pr-4 text-small text-text-2 tabular-nums">
              {changeLabels[kind]} <span className="text-text-3">{own.length || ''}</span>
            </span>
            <span className="relative h-full">
              {kind === 'object' && unknownPercent > 0 ? (
                <span
                  className="absolute inset-y-0 left-0 overflow-hidden bg-sunken px-1 text-small leading-6 whitespace-nowrap text-text-3"
                  style={{ width: `${unknownPercent}%` }}
                >
                  {knownSince === null
                    ? 'Nothing is known yet'
                    : `Nothing is known before ${momentText(knownSince)}`}
                </span>
              ) : null}
              {own.map((change) => (
                <span
                  key={change.key}
                  data-live-color={change.isTrouble ? '' : undefined}
                  className={cx(
                    'absolute',
                    change.isTrouble
                      ? 'top-2 bottom-1.5 w-0.5 rounded-full bg-danger'
                      : 'top-2 -ml-1 size-2 rotate-45 rounded-[1px] bg-text-2',
                  )}
                  style={{ left: `${percent(change.at)}%` }}
                />
              ))}
            </span>
          </div>
        )
      })}
      {troubles.length > 0 ? (
        <div className="relative grid grid-cols-[7rem_minmax(0,1fr)] pt-1">
          <span className="flex justify-between pr-4 text-small text-text-2 tabular-nums">
            Health <span className="text-text-3">{troubles.length}</span>
          </span>
          <span className="flex min-w-0 flex-col">
            {troubles.slice(0, mostTroubles).map(({ key, name, since, isFailing }) => {
              const left = percent(since)
              const tone = isFailing ? 'text-danger' : 'text-warn'
              return (
                <span key={key} data-live-color="" className={cx('relative h-4 text-meta', tone)}>
                  <span
                    className="absolute right-0 bottom-0 h-0.5 rounded-full bg-current"
                    style={{ left: `${left}%` }}
                  />
                  <span
                    className="absolute bottom-0.5 truncate leading-3"
                    style={
                      left > 80
                        ? { right: `${100 - left}%`, bottom: -2, paddingRight: 6 }
                        : { left: `${left}%` }
                    }
                  >
                    {name}
                  </span>
                </span>
              )
            })}
            {troubles.length > mostTroubles ? (
              <span className="text-right text-meta text-text-2">
                and {troubles.length - mostTroubles} more
              </span>
            ) : null}
          </span>
        </div>
      ) : null}
      <div className="ml-28 flex justify-between pt-1 text-small text-text-3 tabular-nums">
        {parts.map((part, index) => (
          // On a phone there is room for the first and the last.
          <span key={part} className={cx(index % (parts.length - 1) > 0 && 'max-sm:hidden')}>
            {clockTime(new Date(fromMs + part * lengthMs))}
          </span>
        ))}
      </div>
    </div>
  )
}
