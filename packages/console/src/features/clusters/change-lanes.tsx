import type { ChangeEntry } from '@bey/contract'
import { cx } from '../../ui/class-names.ts'
import { clockTime, momentText } from '../../ui/time-text.ts'
import { changeKinds, changeLabels } from './change-window.ts'

export interface ChangeLanesProps {
  changes: readonly ChangeEntry[]
  window: { from: string; to: string }
  knownSince: string | null
}

/** Where each kind of change lies in time, one lane a kind on one axis. The list below says the same in words. */
export function ChangeLanes({ changes, window, knownSince }: ChangeLanesProps) {
  const fromMs = Date.parse(window.from)
  const lengthMs = Date.parse(window.to) - fromMs
  const percent = (at: string) => Math.min(100, Math.max(0, ((Date.parse(at) - fromMs) / lengthMs) * 100))
  const unknownPercent = knownSince === null ? 100 : percent(knownSince)
  return (
    <div aria-hidden className="border-b border-line px-(--gutter) py-3">
      {changeKinds.map((kind) => (
        <div key={kind} className="grid h-6 grid-cols-[6rem_minmax(0,1fr)] items-center">
          <span className="text-small text-text-2">{changeLabels[kind]}</span>
          <span className="relative h-full border-b border-line">
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
            {changes
              .filter((change) => change.kind === kind)
              .map((change) => (
                <span
                  key={change.key}
                  className={cx(
                    'absolute top-1.5 bottom-1 w-0.5 rounded-full',
                    change.isTrouble ? 'bg-danger' : 'bg-control',
                  )}
                  style={{ left: `${percent(change.at)}%` }}
                />
              ))}
          </span>
        </div>
      ))}
      <div className="ml-24 flex justify-between pt-1 text-small text-text-3 tabular-nums">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{clockTime(new Date(fromMs + part * lengthMs))}</span>
        ))}
      </div>
    </div>
  )
}
