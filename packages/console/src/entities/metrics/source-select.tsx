import { useMetricSources } from '../../data/metric-sources.ts'
import type { SelectProps } from '../../ui/select.tsx'
import { Select } from '../../ui/select.tsx'

export interface SourceSelectProps extends Omit<SelectProps, 'options' | 'value' | 'onChange'> {
  /** Id of a data source; undefined: Bey's own metrics. */
  value: string | undefined
  onChange: (source: string | undefined) => void
}

/** What evaluates an expression: Bey's own metrics, or a Prometheus-compatible store. */
export function SourceSelect({ value, onChange, ...rest }: SourceSelectProps) {
  const sources = useMetricSources() ?? []
  const isGone = value !== undefined && !sources.some(({ id }) => id === value)
  return (
    <Select
      {...rest}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      options={[
        { value: '', label: 'Bey' },
        ...sources.map(({ id, name }) => ({ value: id, label: name })),
        ...(isGone ? [{ value, label: 'A data source that is gone' }] : []),
      ]}
    />
  )
}

/** Whether there is a choice at all, or one was made that must stay visible. */
export function useHasSources(value: string | undefined): boolean {
  const sources = useMetricSources() ?? []
  return sources.length > 0 || value !== undefined
}
