import type { Instance } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useUpdateGeneral } from '../../../data/instance.ts'
import { errorMessage, fieldErrorsOf } from '../../../lib/error-text.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { SourceNote } from './source-note.tsx'

const modes = [
  { value: 'open', label: 'Anyone who can reach the server' },
  { value: 'invite', label: 'Only people with an invitation' },
] as const

/** Base address, and who may sign up. */
export function GeneralForm({ instance }: { instance: Instance }) {
  const { publicUrl, signup } = instance
  const [form, setForm] = useState({ publicUrl: publicUrl.value, signup: signup.value })
  const update = useUpdateGeneral()
  const isChanged = form.publicUrl.trim() !== publicUrl.value || form.signup !== signup.value
  useUnsaved(isChanged && !update.isSuccess ? 'the settings of the server' : undefined)
  const fieldErrors = fieldErrorsOf(update.error)
  const error =
    update.error && Object.keys(fieldErrors).length === 0
      ? errorMessage(update.error, 'The settings could not be saved')
      : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isChanged || update.isPending) return
    update.mutate({ publicUrl: form.publicUrl.trim() || null, signup: form.signup })
  }
  const set = (part: Partial<typeof form>) => {
    update.reset()
    setForm({ ...form, ...part })
  }
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <Field
        label="Base address"
        hint="In links of mails, and to return to from other providers. Certificates and live connections take it up at the next start."
        error={fieldErrors['publicUrl']}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            placeholder="https://bey.example.com"
            disabled={publicUrl.source === 'environment'}
            value={form.publicUrl}
            onChange={(event) => set({ publicUrl: event.target.value })}
          />
        )}
      </Field>
      <SourceNote source={publicUrl.source} variable="BEY_PUBLIC_URL" />
      <Field label="Who may make an account" error={fieldErrors['signup']}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            options={modes}
            disabled={signup.source === 'environment'}
            value={form.signup}
            onChange={(event) => set({ signup: event.target.value === 'invite' ? 'invite' : 'open' })}
          />
        )}
      </Field>
      <SourceNote source={signup.source} variable="BEY_SIGNUP" />
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <div>
        <Button type="submit" disabled={!isChanged} busy={update.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
