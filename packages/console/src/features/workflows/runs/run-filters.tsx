import { useWorkflows } from '../../../data/workflows.ts'
import type { ListLocation } from '../../../lib/list-location.ts'
import { oneOf } from '../../../lib/list-location.ts'
import { triggerText } from '../../../lib/run-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { absoluteTime } from '../../../ui/time-text.ts'
import { periodNames, runPeriods, runTriggers } from './run-query.ts'

/** The choices beside the text: workflow, trigger and time, kept in the address. */
export function RunFilters({ listLocation }: { listLocation: ListLocation }) {
  const { search, change } = listLocation
  const workflows = useWorkflows({ limit: 200 }).data?.workflows ?? []
  const { from, to } = search
  return (
    <>
      <FilterSelect
        label="Workflow"
        all="All workflows"
        value={search.workflow}
        options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(workflow) => change({ workflow })}
        className="max-w-48"
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
      {from || to ? (
        <Button size="small" variant="ghost" onClick={() => change({ from: '', to: '' })}>
          {[from && `from ${timeText(from)}`, to && `until ${timeText(to)}`].filter(Boolean).join(' ')} ×
        </Button>
      ) : null}
    </>
  )
}

function timeText(text: string): string {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : absoluteTime(at)
}
