import { connectText, isFreeSqlName, manageLimits, type RoleAccess, sqlNameRule } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { ShownOnceDialog } from '../../../ui/shown-once-dialog.tsx'
import { FormFoot } from '../../../ui/form-foot.tsx'

const accesses = [
  { value: 'read', label: 'Read all tables' },
  { value: 'write', label: 'Read and change all tables' },
  { value: 'none', label: 'Nothing yet' },
] as const

/** Asks for the name of a new user, and shows its password once. */
export function RoleDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<RoleAccess>('read')
  const create = useChange('databases.roles.create', { isSecret: true })
  const isValid = isFreeSqlName(name)
  const form = useSubmission({
    mutation: create,
    invalid: isValid ? {} : { name: sqlNameRule },
    input: isValid ? { params: { id: database.id }, body: { name, access } } : undefined,
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => undefined,
  })
  const { endpoint } = database
  if (create.data && endpoint !== null) {
    const own = { ...endpoint, username: create.data.role.name }
    return (
      <ShownOnceDialog
        title="Copy its password now"
        description="It is shown only here and only once. Bey does not keep it."
        label="Connection string"
        value={connectText('uri', own, create.data.password)}
        copyLabel="Copy connection string"
        example={{
          heading: 'In a terminal',
          label: 'Command that connects as the user',
          text: connectText('psql', own, create.data.password),
        }}
        onDone={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Add a user to ${database.name}`}
      description="A login for a program or a person that stays. For an hour, a personal login is better."
      isModalStrict
    >
      <form
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          form.onSubmit()
        }}
      >
        <Field label="Name" required error={form.errors['name']}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={manageLimits.nameBytes}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => {
                setName(target.value)
                form.onChange()
              }}
            />
          )}
        </Field>
        <Field
          label="May"
          error={form.errors['access']}
          hint="Tables that the owner makes later are included."
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={access}
              options={accesses}
              onChange={({ target }) => {
                setAccess(accesses.find(({ value }) => value === target.value)?.value ?? 'none')
                form.onChange()
              }}
            />
          )}
        </Field>
        <FormFoot form={form} submit="Add user" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
