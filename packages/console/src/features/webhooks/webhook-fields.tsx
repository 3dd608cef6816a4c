import { auditEntriesEvent } from '@bey/contract'
import { ClassChoice } from '../../entities/webhooks/class-choice.tsx'
import type { FieldErrors } from '../../lib/use-submission.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { EventPicker } from './event-picker.tsx'
import { FilterFields } from './filter-fields.tsx'
import type { WebhookDraft } from './webhook-draft.ts'

export interface WebhookFieldsProps {
  draft: WebhookDraft
  errors: FieldErrors
  /** Names of headers that are stored; typing others replaces them. */
  storedHeaders?: readonly string[]
  onChange: (part: Partial<WebhookDraft>) => void
}

/** What describes a webhook, new or not. */
export function WebhookFields({ draft, errors, storedHeaders = [], onChange }: WebhookFieldsProps) {
  const stored =
    storedHeaders.length > 0
      ? ` ${storedHeaders.join(', ')} ${storedHeaders.length === 1 ? 'is' : 'are'} kept unless you write others.`
      : ''
  const headerError =
    errors['headers'] ?? Object.entries(errors).find(([path]) => path.startsWith('headers.'))?.[1]
  return (
    <>
      <Field label="Name" required error={errors['name']}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            autoComplete="off"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="URL"
        required
        hint="It is called by POST with JSON, from this server. Redirects are not followed."
        error={errors['url']}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            placeholder="https://example.com/hooks/bey"
            value={draft.url}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ url: event.target.value })}
          />
        )}
      </Field>
      <EventPicker
        chosen={draft.events}
        error={errors['events']}
        onChange={(events) => onChange({ events })}
      />
      <FilterFields
        draft={draft}
        error={Object.entries(errors).find(([path]) => path.startsWith('filters'))?.[1]}
        onChange={(filters) => onChange({ filters })}
      />
      {draft.events.includes(auditEntriesEvent) ? (
        <ClassChoice chosen={draft.auditClasses} onChange={(auditClasses) => onChange({ auditClasses })} />
      ) : null}
      <Checkbox
        label="Keep the order of messages about the same thing"
        hint="A message waits until those before it about the same run, cluster or secret were delivered or given up."
        checked={draft.isOrdered}
        onChange={(event) => onChange({ isOrdered: event.target.checked })}
      />
      <Field
        label="Headers"
        required={false}
        hint={`One per line, such as Authorization: Bearer … Values are encrypted and not shown again.${stored}`}
        error={headerError}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            spellCheck={false}
            className="font-mono text-small"
            value={draft.headers}
            onChange={(event) => onChange({ headers: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
