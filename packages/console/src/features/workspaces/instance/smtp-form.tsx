import { isEmail, type Instance } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useRemoveSmtp, useTestSmtp, useUpdateSmtp } from '../../../data/instance.ts'
import { errorMessage } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { SourceNote } from './source-note.tsx'
import { useSettingsForm } from './use-settings-form.ts'

type Smtp = Instance['smtp']

const securities = [
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'tls', label: 'TLS from the start' },
  { value: 'none', label: 'None' },
] as const

/** The mail server, with a test mail. */
export function SmtpForm({ smtp }: { smtp: Smtp }) {
  const update = useUpdateSmtp()
  const remove = useRemoveSmtp()
  const { host, port, security, user, from } = smtp
  const { form, set, isChanged, fieldErrors, error } = useSettingsForm({
    stored: { host, port: String(port), security, user, from, password: '' },
    update,
    remove,
    lost: 'the mail server',
    failureText: 'The mail server could not be saved',
  })
  const isFixed = smtp.source === 'environment'
  const typedPort = Number(form.port)
  const isComplete = form.host.trim() !== '' && isEmail(form.from) && typedPort >= 1 && typedPort <= 65_535

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isComplete || !isChanged || update.isPending) return
    const { password, ...rest } = form
    update.mutate({ ...rest, port: typedPort, ...(password !== '' && { password }) })
  }
  const text = (key: 'host' | 'user' | 'from' | 'port', label: string, more: object = {}) => (
    <Field label={label} error={fieldErrors[key]}>
      {(control) => (
        <Input
          {...control}
          {...more}
          disabled={isFixed}
          value={form[key]}
          onChange={(event) => set({ [key]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <SourceNote source={smtp.source} variable="BEY_SMTP_URL" />
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_6rem_11rem]">
        {text('host', 'Host', { placeholder: 'mail.example.com' })}
        {text('port', 'Port', { inputMode: 'numeric', className: 'tabular-nums' })}
        <Field label="Encryption">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              options={securities}
              disabled={isFixed}
              value={form.security}
              onChange={(event) => set({ security: securityOf(event.target.value) })}
            />
          )}
        </Field>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {text('user', 'User', { autoComplete: 'off' })}
        <PasswordField
          label="Password"
          hint={smtp.hasPassword ? 'One is stored. Leave this empty to keep it.' : undefined}
          autoComplete="new-password"
          disabled={isFixed}
          value={form.password}
          onChange={(password) => set({ password })}
        />
      </div>
      {text('from', 'Sender', { placeholder: 'Bey <bey@example.com>' })}
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <div className="flex flex-wrap gap-2">
        {isFixed ? null : (
          <Button type="submit" disabled={!isChanged || !isComplete} busy={update.isPending}>
            Save
          </Button>
        )}
        {smtp.source === 'stored' ? (
          <Button busy={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        ) : null}
      </div>
      <TestMail isSet={smtp.source !== 'none'} isChanged={isChanged} />
    </form>
  )
}

function TestMail({ isSet, isChanged }: { isSet: boolean; isChanged: boolean }) {
  const test = useTestSmtp()
  const reason = isChanged ? 'Save first: the test uses what is saved.' : 'Set a mail server first.'
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        disabledReason={isSet && !isChanged ? undefined : reason}
        busy={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test mail to me
      </Button>
      {test.error ? <Notice tone="danger" title={errorMessage(test.error, 'The test failed')} /> : null}
      {test.data ? (
        <Notice
          tone={test.data.isSent ? 'info' : 'danger'}
          title={test.data.isSent ? test.data.detail : 'The mail server refused or did not answer'}
        >
          {test.data.isSent ? undefined : test.data.detail}
        </Notice>
      ) : null}
    </div>
  )
}

function securityOf(text: string): Smtp['security'] {
  return securities.find(({ value }) => value === text)?.value ?? 'starttls'
}
