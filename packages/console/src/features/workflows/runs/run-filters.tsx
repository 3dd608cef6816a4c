import { CalendarRange, X } from 'lucide-react'
import { useState } from 'react'
import type { ComponentProps } from 'react'
import type { ListLocation } from '../../../lib/list-location.ts'
import { laterPart } from '../../../lib/later-part.tsx'
import { oneOf } from '../../../lib/list-location.ts'
import { triggerText } from '../../../lib/run-text.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { absoluteTime } from '../../../ui/time-text.ts'
import { periodNames, runPeriods, runTriggers } from './run-query.ts'
import { useList } from '../../../data/use-read.ts'

const [TimeRangePopover, loadTimeRange] = laterPart(
  async () => (await import('./time-range-popover.tsx')).TimeRangePopover,
)

/** The choices beside the text: workflow, trigger and time, kept in the address. */
export function RunFilters({ listLocation }: { listLocation: ListLocation }) {
  const { search, change } = listLocation
  const workflows = useList('workflows.list', { query: { limit: 200 } }).data?.workflows ?? []
  const { from, to } = search
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  if (isOpen && !wasOpened) setWasOpened(true)
  return (
    <>
      <FilterSelect
        label="Workflow"
        className="w-40"
        all="All workflows"
        value={search.workflow}
        options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(workflow) => change({ workflow })}
      />
      <FilterSelect
        label="Trigger"
        all="All triggers"
        value={oneOf(runTriggers, search.trigger)}
        options={runTriggers.map((value) => ({ value, label: triggerText(value) }))}
        onChange={(trigger) => change({ trigger })}
      />
      <FilterSelect
        label="Time"
        all="Any time"
        value={oneOf(periodNames, search.period)}
        options={periodNames.map((value) => ({ value, label: runPeriods[value].label }))}
        onChange={(period) => change({ period, from: '', to: '' })}
      />
      {wasOpened ? (
        <TimeRangePopover
          trigger={<TimeRangeButton {...{ from, to }} />}
          open={isOpen}
          onOpenChange={setOpen}
          from={from}
          to={to}
          onApply={(range) => {
            change({ ...range, period: '' })
            setOpen(false)
          }}
        />
      ) : (
        <TimeRangeButton
          {...{ from, to }}
          aria-haspopup="dialog"
          aria-expanded={false}
          onPointerEnter={() => void loadTimeRange()}
          onClick={() => void loadTimeRange().then(() => setOpen(true))}
        />
      )}
      {from || to ? (
        <IconButton
          label="Clear the time"
          size="small"
          icon={<X size={14} aria-hidden />}
          onClick={() => change({ from: '', to: '' })}
        />
      ) : null}
    </>
  )
}

interface TimeRangeButtonProps extends ComponentProps<typeof Button> {
  from: string | undefined
  to: string | undefined
}

function TimeRangeButton({ from, to, ...button }: TimeRangeButtonProps) {
  return (
    <Button size="small" variant="ghost" icon={<CalendarRange size={14} aria-hidden />} {...button}>
      {from || to ? rangeText(from, to) : 'From – to…'}
    </Button>
  )
}

function rangeText(from: string | undefined, to: string | undefined): string {
  return [from && `from ${timeText(from)}`, to && `to ${timeText(to)}`].filter(Boolean).join(' ')
}

function timeText(text: string): string {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : absoluteTime(at)
}
