import type { DateFormat, HourCycle, TimeFormat } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { settingsQuery, useSaveTimeFormat } from '../../data/settings.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { useNow } from '../../lib/now.ts'
import { storage } from '../../lib/storage.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { SavedState } from '../../ui/saved-state.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { setTimeStyle, timeStyleText, useTimeStyle } from '../../ui/time-style.ts'
import { absoluteTime } from '../../ui/time-text.ts'
import { deviceTimeZone, timeZones } from '../../lib/time-zones.ts'

const dateFormats: readonly { value: DateFormat; label: string }[] = [
  { value: 'day-month', label: '21 Nov 2026' },
  { value: 'month-day', label: 'Nov 21, 2026' },
  { value: 'iso', label: '2026-11-21' },
]
const hourCycles: readonly { value: HourCycle; label: string }[] = [
  { value: '24', label: '17:04:31' },
  { value: '12', label: '5:04:31 pm' },
]

/** Time zone, format of dates and clock; each choice is kept at once. */
export function TimeForm() {
  const settings = useQuery(settingsQuery())
  if (settings.isError) {
    return (
      <ErrorState
        {...errorText('Your settings could not be loaded', settings.error)}
        onRetry={() => void settings.refetch()}
      />
    )
  }
  if (!settings.data) return <Skeleton className="h-32 max-w-md" />
  return <Choices time={settings.data.time} />
}

function Choices({ time }: { time: TimeFormat }) {
  const save = useSaveTimeFormat()
  // A choice applies at once. After a failure it is kept, and Retry sends it again.
  const [draft, setDraft] = useState(time)
  const zones = useMemo(() => zoneOptions(), [])
  const choose = (part: Partial<TimeFormat>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    storage.write('timeStyle', timeStyleText(next))
    setTimeStyle(next)
    save.mutate(next)
  }
  const phase = save.isPending ? 'saving' : save.isError ? 'failed' : save.isSuccess ? 'saved' : 'idle'
  const shown = zones.some((zone) => zone.value === (draft.timeZone ?? ''))
    ? zones
    : [...zones, { value: draft.timeZone ?? '', label: draft.timeZone ?? '' }]
  return (
    <div className="flex max-w-md flex-col gap-4">
      <Field label="Time zone">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            options={shown}
            value={draft.timeZone ?? ''}
            onChange={(event) => choose({ timeZone: event.target.value || null })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Dates">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              options={dateFormats}
              value={draft.dateFormat}
              onChange={(event) => choose({ dateFormat: known(dateFormats, event.target.value) })}
            />
          )}
        </Field>
        <Field label="Clock">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              options={hourCycles}
              value={draft.hourCycle}
              onChange={(event) => choose({ hourCycle: known(hourCycles, event.target.value) })}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Now />
        <SavedState
          phase={phase}
          reason={save.isError ? causeOf(save.error) : undefined}
          onRetry={() => save.mutate(draft)}
        />
      </div>
    </div>
  )
}

function Now() {
  useTimeStyle()
  return (
    <p className="text-text-2">
      Now: <time className="tabular-nums">{absoluteTime(new Date(useNow(true)))}</time>
    </p>
  )
}

function zoneOptions(): { value: string; label: string }[] {
  return [
    { value: '', label: `As this device: ${deviceTimeZone()}` },
    ...timeZones().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  ]
}

function known<T extends string>(options: readonly { value: T }[], text: string): T {
  const found = options.find(({ value }) => value === text) ?? options[0]
  if (!found) throw new Error('There is nothing to choose from.')
  return found.value
}
