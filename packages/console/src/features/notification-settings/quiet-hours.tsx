import type { NotificationRuleInput } from '@bey/contract'
import { timeZones } from '../../lib/time-zones.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'

/** When mail and channels wait. */
export function QuietHours({
  draft: { quiet, timeZone },
  onChange,
}: {
  draft: NotificationRuleInput
  onChange: (part: Partial<NotificationRuleInput>) => void
}) {
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label="Quiet hours"
        hint="Mail and channels wait for their end; the console lists at once."
        checked={quiet !== null}
        onChange={({ target }) => onChange({ quiet: target.checked ? { from: '22:00', to: '07:00' } : null })}
      />
      {quiet ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['from', 'to'] as const).map((end) => (
            <Field key={end} label={end === 'from' ? 'From' : 'To'}>
              {(control) => (
                <Input
                  {...control}
                  type="time"
                  required
                  value={quiet[end]}
                  onChange={({ target }) => onChange({ quiet: { ...quiet, [end]: target.value } })}
                />
              )}
            </Field>
          ))}
        </div>
      ) : null}
      <Field label="Time zone" hint="Of quiet hours and of the morning.">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={timeZone}
            options={[...new Set([timeZone, ...timeZones()])].map((zone) => ({
              value: zone,
              label: zone.replaceAll('_', ' '),
            }))}
            onChange={({ target }) => onChange({ timeZone: target.value })}
          />
        )}
      </Field>
    </div>
  )
}
