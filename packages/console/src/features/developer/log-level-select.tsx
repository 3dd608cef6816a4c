import { useId } from 'react'
import { logLevels, setLogLevel, useLogLevel } from '../../lib/log-level.ts'
import type { LogLevel } from '../../lib/log-level.ts'
import { Select } from '../../ui/select.tsx'

const labels: Record<LogLevel, string> = {
  trace: 'Trace (most verbose)',
  debug: 'Debug',
  info: 'Info (default)',
  warning: 'Warning',
  error: 'Error',
  fatal: 'Fatal (least verbose)',
}

/** The least level that the console's log writes. */
export function LogLevelSelect() {
  const level = useLogLevel()
  const id = useId()
  return (
    <div className="mt-3 flex items-center justify-between gap-4">
      <label htmlFor={id} className="font-medium">
        Console log level
      </label>
      <Select
        id={id}
        controlSize="small"
        value={level}
        onChange={(event) => {
          const next = logLevels.find((each) => each === event.target.value)
          if (next) setLogLevel(next)
        }}
        options={logLevels.map((each) => ({ value: each, label: labels[each] }))}
      />
    </div>
  )
}
