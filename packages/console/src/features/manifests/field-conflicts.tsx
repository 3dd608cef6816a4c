import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { valueAtField } from './conflict-answers.ts'
import { valueText } from '../../entities/kubernetes/yaml/object-changes.ts'
import type { ManifestDocument } from '../../entities/kubernetes/yaml/manifest-documents.ts'
import type { ManagerConflict } from '../../entities/kubernetes/yaml/refusal.ts'
import type { Free } from '../../entities/kubernetes/yaml/text-problem.ts'

type ManagerAnswer = 'mine' | 'theirs' | 'edit'

const choices: readonly { answer: ManagerAnswer; label: string }[] = [
  { answer: 'mine', label: 'Yours' },
  { answer: 'theirs', label: 'Live' },
  { answer: 'edit', label: 'Edit' },
]

/** Fields of one document that another manager applies, each with its three answers. */
export function FieldConflicts({
  document,
  conflicts,
  live,
  onAnswered,
  onEdit,
}: {
  document: ManifestDocument
  conflicts: readonly ManagerConflict[]
  live: Free | undefined
  /** Every one is answered; fields of `theirs` take the live value. */
  onAnswered: (answers: { theirs: string[] }) => void
  onEdit: (field: string) => void
}) {
  const [answers, setAnswers] = useState<Readonly<Record<string, ManagerAnswer>>>({})
  const open = conflicts.filter(({ field }) => answers[field] === undefined).length
  const answer = (field: string, given: ManagerAnswer) => {
    if (given === 'edit') return onEdit(field)
    setAnswers((before) => ({ ...before, [field]: given }))
  }
  return (
    <Section
      title={`${document.kind} ${document.name}: others manage these fields`}
      aside={open > 0 ? `${open} to answer` : 'all answered'}
    >
      <ul className="grid gap-3">
        {conflicts.map(({ field, manager }) => (
          <li key={field} className="rounded-control border border-warn">
            <p className="border-b border-line px-3 py-1.5">
              <code className="font-mono text-small break-all">{field}</code>
              <span className="block text-small text-text-2">set by {manager}</span>
            </p>
            <div role="radiogroup" aria-label={`${field}, set by ${manager}`} className="grid grid-cols-3">
              {choices.map(({ answer: given, label }, index) => (
                <button
                  key={given}
                  type="button"
                  // A radio input cannot hold the value that it represents.
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                  role="radio"
                  aria-checked={answers[field] === given}
                  className="min-h-11 min-w-0 px-3 py-1.5 text-left hover:bg-hover aria-checked:bg-accent-soft"
                  onClick={() => answer(field, given)}
                  onKeyDown={(event) => {
                    const chosen = choices[Number(event.key) - 1]
                    if (chosen) answer(field, chosen.answer)
                  }}
                >
                  <span className="font-medium">
                    {index + 1} {label}
                  </span>
                  <code className="block truncate font-mono text-small text-text-2">
                    {given === 'mine' ? valueText(valueAtField(document.object, field)) : null}
                    {given === 'theirs' && live ? valueText(valueAtField(live, field)) : null}
                    {given === 'edit' ? 'in the text' : null}
                  </code>
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <Button
          disabledReason={
            open > 0 ? `${open} of ${conflicts.length} conflicts are not answered yet.` : undefined
          }
          onClick={() =>
            onAnswered({
              theirs: conflicts.flatMap(({ field }) => (answers[field] === 'theirs' ? [field] : [])),
            })
          }
        >
          Review again with these answers
        </Button>
      </div>
    </Section>
  )
}
