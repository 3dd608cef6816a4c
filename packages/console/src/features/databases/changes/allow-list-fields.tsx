import { allowListLimits, networkProblem } from '@bey/contract'
import { Plus, X } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'

/** A network of an allow-list while it is written; `key` stays its own when others come and go. */
export type AllowListRow = { key: number; cidr: string; about: string }

export const allowListBody = (rows: readonly AllowListRow[]) =>
  rows.map(({ cidr, about }) => ({ cidr: cidr.trim(), about: about.trim() }))

/** The networks from which a database is reached, beside the machine of Bey. */
export function AllowListFields({
  rows,
  showsProblems,
  disabledReason,
  onChange,
}: {
  rows: readonly AllowListRow[]
  showsProblems: boolean
  /** Why no network can be added. */
  disabledReason?: string | undefined
  onChange: (rows: AllowListRow[]) => void
}) {
  const change = (key: number, values: Partial<AllowListRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...values } : row)))
  const nextKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1
  return (
    <>
      {rows.length === 0 ? <p className="text-text-2">No network. Only this machine reaches it.</p> : null}
      {rows.map(({ key, cidr, about }, index) => (
        <div key={key} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Field label={`Network ${index + 1}`} error={showsProblems ? networkProblem(cidr) : undefined}>
              {(control) => (
                <Input
                  {...control}
                  value={cidr}
                  maxLength={50}
                  placeholder="10.20.0.0/16"
                  className="font-mono text-small"
                  onChange={({ target }) => change(key, { cidr: target.value })}
                />
              )}
            </Field>
          </div>
          <div className="min-w-0 flex-1">
            <Field label="What it is" required={false}>
              {(control) => (
                <Input
                  {...control}
                  value={about}
                  maxLength={allowListLimits.about}
                  onChange={({ target }) => change(key, { about: target.value })}
                />
              )}
            </Field>
          </div>
          <span className="mt-6">
            <IconButton
              size="small"
              icon={<X size={14} aria-hidden />}
              label={`Remove network ${index + 1}`}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            />
          </span>
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          disabledReason={disabledReason}
          disabled={rows.length >= allowListLimits.entries}
          onClick={() => onChange([...rows, { cidr: '', about: '', key: nextKey }])}
        >
          Add network
        </Button>
      </div>
    </>
  )
}
