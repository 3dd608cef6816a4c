import { X } from 'lucide-react'
import { Field } from './field.tsx'
import { Select } from './select.tsx'

export interface SubjectChoiceProps<Id extends string | number> {
  label: string
  /** What none chosen means: "Every cluster". */
  all: string
  /** Of the choice that adds one more: "Add a cluster…". */
  more: string
  subjects: readonly { id: Id; name: string }[]
  chosen: readonly Id[]
  max: number
  onChange: (chosen: Id[]) => void
}

/** Several of many things, each to be removed; none means all of them. */
export function SubjectChoice<Id extends string | number>(props: SubjectChoiceProps<Id>) {
  const { label, all, more, subjects, chosen, max, onChange } = props
  const left = subjects.filter(({ id }) => !chosen.includes(id))
  const isFull = chosen.length >= max
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Field label={label}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value=""
            disabled={isFull || left.length === 0}
            options={[
              { value: '', label: chosen.length === 0 ? all : more },
              ...left.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={({ target }) => {
              const found = left.find(({ id }) => String(id) === target.value)
              if (found) onChange([...chosen, found.id])
            }}
          />
        )}
      </Field>
      {chosen.length > 0 ? (
        <ul aria-label={`Chosen: ${label}`} className="flex flex-wrap gap-2">
          {chosen.map((id) => {
            const name = subjects.find((each) => each.id === id)?.name ?? 'deleted'
            return (
              <li key={id} className="min-w-0">
                <button
                  type="button"
                  className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-badge border border-line-strong px-2 text-small hover:bg-hover"
                  onClick={() => onChange(chosen.filter((each) => each !== id))}
                >
                  <span className="truncate">{name}</span>
                  <X size={12} aria-hidden />
                  <span className="sr-only">Remove</span>
                </button>
              </li>
            )
          })}
        </ul>
      ) : null}
    </div>
  )
}
