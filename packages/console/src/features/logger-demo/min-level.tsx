import { useId } from 'react'
import { logLevels, setLogLevel, useLogLevel } from '../../lib/log-level.ts'
import { Select } from '../../ui/select.tsx'

/** From which level on lines are written; the same setting as the developer bar's. */
export function MinLevel() {
  const level = useLogLevel()
  const id = useId()
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-text-2">
        Log level
      </label>
      <Select
        id={id}
        value={level}
        onChange={({ target }) => setLogLevel(logLevels.find((each) => each === target.value) ?? 'info')}
        options={logLevels.map((each) => ({ value: each, label: `${each} and up` }))}
      />
    </span>
  )
}
