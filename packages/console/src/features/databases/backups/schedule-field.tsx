import { useState } from 'react'
import { cronText } from '../../../entities/kubernetes/panels/cron-text.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'

const presets = [
  { value: '', label: 'Only on request' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 */6 * * *', label: 'Every 6 hours' },
  { value: '0 2 * * *', label: 'Every day at 02:00 UTC' },
  { value: '0 3 * * *', label: 'Every day at 03:00 UTC' },
  { value: '0 2 * * 0', label: 'Every Sunday at 02:00 UTC' },
] as const

const own = 'own'

/** A schedule by name, or in five fields as in crontab. */
export function ScheduleField({
  label,
  value,
  error,
  onChange,
}: {
  label: string
  value: string | null
  error: string | undefined
  onChange: (cron: string | null) => void
}) {
  const isPreset = presets.some((preset) => preset.value === (value ?? ''))
  const [openedAt] = useState(() => new Date())
  const [isOwn, setOwn] = useState(!isPreset)
  const text = value === null || value === '' ? undefined : cronText(value, 'UTC', openedAt)
  const words = text && 'words' in text ? `${text.words}, UTC` : undefined
  return (
    <Field
      label={label}
      error={error}
      hint={isOwn ? (words ?? 'Minute, hour, day, month, weekday.') : undefined}
    >
      {(control) => (
        <div className="flex flex-col gap-2">
          <Select
            {...control}
            className="w-full"
            value={isOwn ? own : (value ?? '')}
            options={[...presets, { value: own, label: 'Other…' }]}
            onChange={({ target }) => {
              setOwn(target.value === own)
              if (target.value !== own) onChange(target.value || null)
            }}
          />
          {isOwn ? (
            <Input
              aria-label={`${label}, as in crontab`}
              className="font-mono text-small"
              value={value ?? ''}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange(target.value || null)}
            />
          ) : null}
        </div>
      )}
    </Field>
  )
}
