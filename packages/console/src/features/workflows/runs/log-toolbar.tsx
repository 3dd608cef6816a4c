import { Download } from 'lucide-react'
import { useState } from 'react'
import { downloadRunLog } from '../../../data/download-log.ts'
import { toastCause } from '../../../lib/error-text.ts'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.ts'
import type { RunLocation } from './run-location.ts'
import { logLevels } from './run-location.ts'

const levelLabels = { debug: 'All levels', info: 'Info and up', warning: 'Warnings and up', error: 'Errors' }

/** Search, level and download of a log; what it shows stands in the address. */
export function LogToolbar({
  runLocation,
  workflowId,
  runId,
  stepKey,
}: {
  runLocation: RunLocation
  workflowId: string
  runId: string
  /** Downloads the lines of this step alone. */
  stepKey?: string | undefined
}) {
  const [isReading, setReading] = useState(false)
  const download = async () => {
    setReading(true)
    try {
      await downloadRunLog(workflowId, runId, stepKey)
    } catch (error) {
      toast('error', 'Failed to download the log', toastCause(error))
    } finally {
      setReading(false)
    }
  }
  return (
    <span className="flex min-w-0 flex-wrap items-center justify-end gap-2">
      <FilterInput
        label="Search the log"
        value={runLocation.search}
        onChange={(search) => runLocation.change({ search })}
      />
      <Select
        aria-label="Least level"
        controlSize="small"
        value={runLocation.level}
        onChange={(event) => runLocation.change({ level: event.target.value })}
        options={logLevels.map((level) => ({ value: level, label: levelLabels[level] }))}
      />
      <IconButton
        label={stepKey === undefined ? 'Download the log' : 'Download the log of the step'}
        size="small"
        icon={<Download size={14} aria-hidden />}
        aria-busy={isReading}
        onClick={() => void (isReading ? undefined : download())}
      />
    </span>
  )
}
