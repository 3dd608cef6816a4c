import { backupLimits, type DatabaseCheck } from '@bey/contract'
import { Plus, X } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { TextArea } from '../../../ui/text-area.tsx'

/** Statements that a restored copy has to answer. */
export function CheckFields({
  checks,
  error,
  onChange,
}: {
  checks: readonly DatabaseCheck[]
  error: string | undefined
  onChange: (checks: readonly DatabaseCheck[]) => void
}) {
  const change = (index: number, part: Partial<DatabaseCheck>) =>
    onChange(checks.map((check, each) => (each === index ? { ...check, ...part } : check)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Checks of a restored copy</legend>
      <p className="text-small text-text-3">
        Each is a statement that reads. It passes where its first value is neither false nor null. Without a
        check a copy is proven when it answers.
      </p>
      {checks.map(({ name, sql }, index) => (
        <div key={index} className="grid items-start gap-2 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
          <Input
            aria-label={`Name of check ${index + 1}`}
            placeholder="Orders are there"
            value={name}
            maxLength={backupLimits.checkName}
            onChange={({ target }) => change(index, { name: target.value })}
          />
          <TextArea
            aria-label={`Statement of check ${index + 1}`}
            placeholder="select count(*) > 0 from orders"
            rows={1}
            className="font-mono text-small"
            value={sql}
            maxLength={backupLimits.checkSql}
            spellCheck={false}
            onChange={({ target }) => change(index, { sql: target.value })}
          />
          <IconButton
            label={`Remove check ${index + 1}`}
            icon={<X size={14} aria-hidden />}
            onClick={() => onChange(checks.filter((_, each) => each !== index))}
          />
        </div>
      ))}
      <p role="alert" className={error ? 'text-small text-danger' : 'hidden'}>
        {error}
      </p>
      <span>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          disabled={checks.length >= backupLimits.checks}
          onClick={() => onChange([...checks, { name: '', sql: '' }])}
        >
          Add a check
        </Button>
      </span>
    </fieldset>
  )
}
