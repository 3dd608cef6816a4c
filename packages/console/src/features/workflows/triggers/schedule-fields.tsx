import { catchUpPolicies, missedAfterMs, overlapPolicies } from '@bey/contract'
import { useSchedulePreview } from '../../../data/workflow-triggers.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useDebounced } from '../editor/use-debounced.ts'
import { dueText } from './due-text.ts'
import type { TriggerDraft } from './trigger-draft.ts'

const catchUpLabels: Record<(typeof catchUpPolicies)[number], string> = {
  none: 'are skipped',
  latest: 'start one run, for the last of them',
  all: 'start a run each, at most 100',
}
const overlapLabels: Record<(typeof overlapPolicies)[number], string> = {
  allow: 'starts in parallel',
  skip: 'is skipped',
  queue: 'waits for it',
  replace: 'cancels it and starts',
}

export interface ScheduleFieldsProps {
  draft: TriggerDraft
  error: string | undefined
  onChange: (change: Partial<TriggerDraft>) => void
}

/** A schedule with its next five times in words. */
export function ScheduleFields({ draft, error, onChange }: ScheduleFieldsProps) {
  const cron = useDebounced(draft.cron, 300)
  const preview = useSchedulePreview(cron, draft.timeZone)
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Schedule"
          required
          hint="Minute, hour, day, month, weekday, as in crontab."
          error={error ?? (preview.error ? causeOf(preview.error) : undefined)}
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono text-small"
              value={draft.cron}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange({ cron: target.value })}
            />
          )}
        </Field>
        <Field label="Time zone">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.timeZone}
              options={timeZones(draft.timeZone).map((zone) => ({ value: zone, label: zone }))}
              onChange={({ target }) => onChange({ timeZone: target.value })}
            />
          )}
        </Field>
      </div>
      {preview.data && !preview.error ? (
        <section aria-label="Next times" className="rounded-control bg-sunken px-3 py-2">
          <p className="font-medium">{preview.data.summary}</p>
          <ol className="mt-1 text-text-2 tabular-nums">
            {preview.data.nextTimes.map((at) => (
              <li key={at}>{dueText(new Date(at), draft.timeZone)}</li>
            ))}
          </ol>
          {preview.data.notes.map((note) => (
            <p key={note} className="mt-1 text-small text-warn">
              {note}
            </p>
          ))}
        </section>
      ) : null}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Times missed while no server ran"
          hint={`A time that is at most ${formatDuration(missedAfterMs)} late is not missed: its run starts.`}
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.catchUp}
              options={catchUpPolicies.map((each) => ({ value: each, label: catchUpLabels[each] }))}
              onChange={({ target }) =>
                onChange({ catchUp: catchUpPolicies.find((each) => each === target.value) ?? 'latest' })
              }
            />
          )}
        </Field>
        <Field label="While an earlier run goes on, the next">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.overlap}
              options={overlapPolicies.map((each) => ({ value: each, label: overlapLabels[each] }))}
              onChange={({ target }) =>
                onChange({ overlap: overlapPolicies.find((each) => each === target.value) ?? 'skip' })
              }
            />
          )}
        </Field>
      </div>
    </>
  )
}

function timeZones(current: string): string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])]
}
