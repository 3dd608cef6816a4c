import type { AuditClass } from '@bey/contract'
import { auditClasses } from '@bey/contract'
import { Checkbox } from '../../ui/checkbox.tsx'
import { auditClassLabels } from '../audit/audit-text.ts'

/** Which classes of audit entries a webhook streams; none chosen means all of them. */
export function ClassChoice({
  chosen,
  onChange,
}: {
  chosen: readonly AuditClass[]
  onChange: (chosen: readonly AuditClass[]) => void
}) {
  return (
    <fieldset>
      <legend className="mb-2 font-medium text-text">Entries of the audit log</legend>
      <ul className="flex flex-wrap gap-x-5 gap-y-2">
        <li>
          <Checkbox label="All" checked={chosen.length === 0} onChange={() => onChange([])} />
        </li>
        {auditClasses.map((value) => (
          <li key={value}>
            <Checkbox
              label={auditClassLabels[value]}
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
