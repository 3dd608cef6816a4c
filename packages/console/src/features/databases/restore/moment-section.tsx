import type { DatabaseMoment, DatabaseRecoverableWindow } from '@bey/contract'
import { useState } from 'react'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { useIsMobile } from '../../../ui/use-is-mobile.ts'
import { localFields, zoneText } from '../backups/moment-fields.ts'
import { nearestMoment } from '../backups/window-text.ts'
import { MinutePicker } from './minute-picker.tsx'
import { MomentChoices } from './moment-choices.tsx'
import { MomentPlot } from './moment-plot.tsx'
import type { RestoreMoment } from './restore-moments.ts'
import { anchorOf, rangeAround, wholeRange } from './shown-range.ts'

export interface MomentSectionProps {
  databaseId: string
  window: DatabaseRecoverableWindow
  moments: readonly RestoreMoment[]
  statements: readonly DatabaseMoment[]
  marks: readonly ChangeMark[]
  nowMs: number
  atMs: number | undefined
  backupId: string | undefined
  onChoose: (chosen: { atMs: number; backupId?: string | undefined }) => void
}

/** The moment to restore: by what happened, on a ruler, or typed. */
export function MomentSection(props: MomentSectionProps) {
  const { databaseId, window, moments, statements, marks, nowMs, atMs, backupId, onChoose } = props
  const [isWhole, setWhole] = useState(false)
  const [anchorMs, setAnchor] = useState(atMs)
  const isMobile = useIsMobile()
  const anchored = rangeAround(anchorMs ?? atMs ?? nowMs, nowMs)
  const isInside = atMs === undefined || (atMs >= anchored.fromMs && atMs <= anchored.toMs)
  const range = isWhole ? wholeRange(window, nowMs) : isInside ? anchored : rangeAround(atMs, nowMs)
  const chooseMs = (ms: number) => {
    // The shown time stays while the moment moves within it.
    setAnchor(isWhole ? ms : anchorOf(range))
    onChoose({ atMs: ms })
  }
  const nearest = atMs === undefined ? undefined : nearestMoment(window, atMs)
  const chosen = moments.find((moment) =>
    backupId === undefined
      ? moment.backupId === undefined && moment.atMs === atMs
      : moment.backupId === backupId,
  )
  const lengthMs = nowMs - Date.parse(window.ranges[0]?.from ?? '')
  const events = statements.map(({ at, text }) => ({ atMs: Date.parse(at), text }))
  return (
    <Section
      title="1 To which moment"
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Input
            type="datetime-local"
            step={1}
            aria-label={`Moment, in the time zone ${zoneText()}`}
            data-tooltip={zoneText()}
            className="w-52!"
            value={atMs === undefined ? '' : localFields(atMs)}
            onChange={({ target }) => {
              const typed = new Date(target.value).getTime()
              if (!Number.isNaN(typed)) onChoose({ atMs: typed })
            }}
          />
          {isMobile || Number.isNaN(lengthMs) ? null : (
            <button
              type="button"
              className="underline decoration-dotted underline-offset-4 hover:text-text"
              onClick={() => setWhole(!isWhole)}
            >
              {isWhole ? '20 min around it' : `Whole window, ${formatDuration(lengthMs)}`}
            </button>
          )}
        </span>
      }
    >
      <div className="flex flex-col gap-3">
        {window.archive.problem === null ? null : (
          <Notice tone="warn" title="Changes are not being archived">
            {window.archive.problem}
          </Notice>
        )}
        {isMobile ? (
          <MinutePicker window={window} atMs={atMs} nowMs={nowMs} onChoose={(ms) => onChoose({ atMs: ms })} />
        ) : (
          <div>
            <p className="flex flex-wrap justify-between gap-x-4 text-small text-text-2">
              <span>Rows written a second, all tables</span>
              <span className="text-text-3">← → 1 s · ⇧ 1 min · ⌥ next event</span>
            </p>
            <MomentPlot
              databaseId={databaseId}
              window={window}
              range={range}
              nowMs={nowMs}
              atMs={atMs}
              events={events}
              marks={marks}
              onChoose={chooseMs}
            />
          </div>
        )}
        {atMs === undefined || backupId !== undefined || nearest === atMs ? null : (
          <p role="alert" className="text-warn">
            {momentText(new Date(atMs))} cannot be restored.{' '}
            {nearest === undefined ? null : (
              <button type="button" className="underline" onClick={() => onChoose({ atMs: nearest })}>
                Choose {momentText(new Date(nearest))}
              </button>
            )}
          </p>
        )}
        <MomentChoices
          moments={moments}
          chosen={chosen?.key}
          untilMs={Date.parse(window.ranges.at(-1)?.to ?? '')}
          onChoose={(moment) => {
            setAnchor(moment.atMs)
            onChoose({ atMs: moment.atMs, backupId: moment.backupId })
          }}
        />
      </div>
    </Section>
  )
}
