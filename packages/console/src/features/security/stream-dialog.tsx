import type { AuditClass } from '@bey/contract'
import { auditEntriesEvent } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { ClassChoice } from '../../entities/webhooks/class-choice.tsx'
import { ShownSecret } from '../../entities/webhooks/shown-secret.tsx'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'

/** Streams the audit log to an address: a webhook of its own, whose signing secret is shown once. */
export function StreamDialog({ onClose }: { onClose: () => void }) {
  const mutation = useChange('webhooks.create', { isSecret: true })
  if (mutation.data) return <ShownSecret made={mutation.data} onDone={onClose} />
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Stream the audit log"
      description="Every entry is sent within seconds, in order and signed. While the receiver is away, entries wait in the log."
      isModalStrict
    >
      <StreamForm mutation={mutation} onClose={onClose} />
    </Dialog>
  )
}

const beginnings = [
  { value: 'next', label: 'the next entry' },
  { value: 'first', label: 'the first entry that is kept' },
]

function StreamForm({
  mutation,
  onClose,
}: {
  mutation: ReturnType<typeof useChange<'webhooks.create'>>
  onClose: () => void
}) {
  const [name, setName] = useState('Audit log')
  const [url, setUrl] = useState('')
  const [from, setFrom] = useState<'next' | 'first'>('next')
  const [classes, setClasses] = useState<readonly AuditClass[]>([])
  const invalid: Record<string, string> = {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...((!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) && {
      url: 'Enter a whole URL, such as https://siem.example.com/bey.',
    }),
  }
  const form = useSubmission({
    mutation,
    invalid,
    input:
      Object.keys(invalid).length === 0
        ? {
            body: {
              name: name.trim(),
              url: url.trim(),
              events: [auditEntriesEvent],
              auditClasses: [...classes],
              auditFrom: from,
            },
          }
        : undefined,
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => undefined,
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onChange={form.onChange}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        form.onSubmit()
      }}
    >
      <Field
        label="Address"
        required
        hint="Called by POST with JSON and a signature by Standard Webhooks. Redirects are not followed."
        error={form.errors['url']}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            data-initial-focus=""
            placeholder="https://siem.example.com/bey"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      <Field label="Name" required error={form.errors['name']}>
        {(control) => (
          <Input
            {...control}
            value={name}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <ClassChoice chosen={classes} onChange={setClasses} />
      <Field label="Begin with">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={from}
            options={beginnings}
            onChange={({ target }) => setFrom(target.value === 'first' ? 'first' : 'next')}
          />
        )}
      </Field>
      {form.refusal ? (
        <Notice tone="danger" title="The stream was not created">
          {form.refusal}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.isBusy}>
          Stream the log
        </Button>
      </div>
    </form>
  )
}
