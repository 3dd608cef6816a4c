import { isRunOver } from '@bey/contract'
import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { readWholeLog, useRunLog } from '../../data/use-run-log.ts'
import type { RunDetail } from '../../data/workflows.ts'
import { downloadText } from '../../lib/download.ts'
import { causeOf, toastCause } from '../../lib/error-text.ts'
import { logLines, logText } from '../../lib/run-text.ts'
import { Button } from '../../ui/button.tsx'
import { LogView } from '../../ui/log-view.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import type { RunLocation } from './run-location.ts'
import { logLevels } from './run-location.ts'

export interface RunLogPanelProps {
  detail: RunDetail
  runLocation: RunLocation
  workflowId: string
  runId: string
}

/** What a run writes, as it writes it: by step and level, earlier lines on demand, the whole as a file. */
export function RunLogPanel({ detail, runLocation, workflowId, runId }: RunLogPanelProps) {
  const { lines, loadEarlier, isLoadingEarlier, earlierError } = useRunLog(workflowId, runId)
  const { steps, run } = detail
  const shown = useMemo(() => {
    const least = logLevels.indexOf(runLocation.level)
    const wanted = (lines ?? []).filter(
      (line) =>
        (!runLocation.step || line.stepKey === runLocation.step) && logLevels.indexOf(line.level) >= least,
    )
    return logLines(wanted, steps)
  }, [lines, steps, runLocation.step, runLocation.level])
  const isFiltered = runLocation.step !== undefined || runLocation.level !== 'debug'
  const empty = isFiltered
    ? 'No line of this step and level yet.'
    : isRunOver(run.status)
      ? 'This run wrote no log.'
      : 'Waiting for the first line.'
  return (
    <Section
      title="Log"
      aside={
        <span className="flex flex-wrap items-center justify-end gap-2">
          <Select
            aria-label="Step"
            controlSize="small"
            value={runLocation.step ?? ''}
            onChange={(event) => runLocation.change({ step: event.target.value || undefined })}
            options={[
              { value: '', label: 'All steps' },
              ...steps.map((step) => ({ value: step.key, label: step.name })),
            ]}
          />
          <Select
            aria-label="Least level"
            controlSize="small"
            value={runLocation.level}
            onChange={(event) => runLocation.change({ level: event.target.value })}
            options={logLevels.map((level) => ({
              value: level,
              label: level === 'debug' ? 'All levels' : level === 'error' ? 'error only' : `${level} and up`,
            }))}
          />
          <DownloadLog workflowId={workflowId} runId={runId} />
        </span>
      }
    >
      <div className="flex flex-col gap-2">
        {loadEarlier ? (
          <div className="flex items-center gap-3">
            <Button size="small" onClick={loadEarlier} busy={isLoadingEarlier}>
              Load earlier lines
            </Button>
            {earlierError ? <span className="text-danger">{causeOf(earlierError)}</span> : null}
          </div>
        ) : null}
        <LogView
          label="Log of the run"
          lines={shown}
          empty={empty}
          height="max(24rem, calc(100dvh - 22rem))"
        />
      </div>
    </Section>
  )
}

function DownloadLog({ workflowId, runId }: { workflowId: string; runId: string }) {
  const [isReading, setReading] = useState(false)
  const download = async () => {
    setReading(true)
    try {
      downloadText(`run-${runId}.log`, logText(await readWholeLog(workflowId, runId)), 'text/plain')
    } catch (error) {
      toast('error', 'Failed to download the log', toastCause(error))
    } finally {
      setReading(false)
    }
  }
  return (
    <Button
      size="small"
      icon={<Download size={14} aria-hidden />}
      busy={isReading}
      onClick={() => void download()}
    >
      Download
    </Button>
  )
}
