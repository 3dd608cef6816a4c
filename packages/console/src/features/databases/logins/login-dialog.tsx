import { connectText, deniedReason, loginLimits, type LoginMode } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useChange } from '../../../data/use-change.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { ShownOnceDialog } from '../../../ui/shown-once-dialog.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { FormFoot } from '../../../ui/form-foot.tsx'

const lengths = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '480', label: '8 hours' },
] as const

/** Asks what a login is for, and shows it once. */
export function LoginDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const [mode, setMode] = useState<LoginMode>('read')
  const [minutes, setMinutes] = useState('60')
  const [reason, setReason] = useState('')
  const create = useChange('databases.logins.create', { isSecret: true })
  const writeDenied = deniedReason(useRole(), 'databases.execute')
  const isGiven = reason.trim().length >= 3
  const form = useSubmission({
    mutation: create,
    invalid: isGiven ? {} : { reason: 'Say what it is for, for the audit log.' },
    input: isGiven
      ? { params: { id: database.id }, body: { mode, minutes: Number(minutes), reason: reason.trim() } }
      : undefined,
    lost: undefined,
    onSaved: () => undefined,
  })
  const { endpoint } = database
  if (create.data && endpoint !== null) {
    const { login, password } = create.data
    const own = { ...endpoint, username: login.username }
    return (
      <ShownOnceDialog
        title="Copy your login now"
        description={`It works until ${momentText(login.expiresAt)}. The password is shown only here and only once.`}
        label="Connection string"
        value={connectText('uri', own, password)}
        copyLabel="Copy connection string"
        example={{
          heading: 'In a terminal of the machine of Bey',
          label: 'Command that uses the login',
          text: connectText('psql', own, password),
        }}
        onDone={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`A login to ${database.name}`}
      description="A user of the server for you alone. It ends by itself, with its connections."
      isModalStrict
    >
      <form
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          form.onSubmit()
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Rights"
            error={form.errors['mode']}
            hint={
              mode === 'read'
                ? 'Reads everything, changes nothing.'
                : 'Acts as the owner. Users that it makes stay when it ends.'
            }
          >
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={mode}
                options={[
                  { value: 'read', label: 'Read' },
                  { value: 'write', label: 'Read and write', disabled: writeDenied !== undefined },
                ]}
                onChange={({ target }) => {
                  setMode(target.value === 'write' ? 'write' : 'read')
                  form.onChange()
                }}
              />
            )}
          </Field>
          <Field label="For" error={form.errors['minutes']}>
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={minutes}
                options={lengths}
                onChange={({ target }) => {
                  setMinutes(target.value)
                  form.onChange()
                }}
              />
            )}
          </Field>
        </div>
        <Field label="What it is for" required error={form.errors['reason']}>
          {(control) => (
            <Input
              {...control}
              value={reason}
              maxLength={loginLimits.reason}
              onChange={({ target }) => {
                setReason(target.value)
                form.onChange()
              }}
            />
          )}
        </Field>
        <FormFoot form={form} submit="Get the login" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
