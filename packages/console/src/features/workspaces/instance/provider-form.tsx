import type { InstanceProvider } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useRemoveProvider, useUpdateProvider } from '../../../data/instance.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { SourceNote } from './source-note.tsx'
import { useSettingsForm } from './use-settings-form.ts'

const variables = {
  github: 'BEY_GITHUB_CLIENT_ID',
  google: 'BEY_GOOGLE_CLIENT_ID',
  oidc: 'BEY_OIDC_CLIENT_ID',
}

/** One provider to sign in with. */
export function ProviderForm({ provider }: { provider: InstanceProvider }) {
  const { id, source } = provider
  const update = useUpdateProvider(id)
  const remove = useRemoveProvider(id)
  const { clientId, issuer, label } = provider
  const { form, set, isChanged, fieldErrors, error } = useSettingsForm({
    stored: { clientId, issuer, label, clientSecret: '' },
    update,
    remove,
    lost: `the settings of ${label}`,
    failureText: 'The provider could not be saved',
  })
  const isFixed = source === 'environment'
  const isComplete = form.clientId.trim() !== '' && (id !== 'oidc' || form.issuer.trim() !== '')

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isChanged || !isComplete || update.isPending) return
    update.mutate({
      clientId: form.clientId,
      ...(form.clientSecret !== '' && { clientSecret: form.clientSecret }),
      ...(id !== 'google' && { issuer: form.issuer }),
      ...(id === 'oidc' && { label: form.label }),
    })
  }
  const text = (key: 'clientId' | 'issuer' | 'label', name: string, placeholder = '') => (
    <Field label={name} error={fieldErrors[key]}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          placeholder={placeholder}
          disabled={isFixed}
          value={form[key]}
          onChange={(event) => set({ [key]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      {source === 'none' ? (
        <p className="text-text-2">
          {id === 'oidc'
            ? 'Not set up: the login page shows no button for it.'
            : 'Not set up: its button on the login page is disabled.'}
        </p>
      ) : source === 'stored' ? (
        <p>
          <Badge tone="ok">Set up</Badge>
        </p>
      ) : (
        <SourceNote source={source} variable={variables[id]} />
      )}
      <div>
        <p className="text-small text-text-2">Redirect address, to register with the provider</p>
        <p className="mt-1 flex items-center gap-1">
          <code className="min-w-0 font-mono text-small break-all">{provider.redirectUri}</code>
          <CopyButton text={provider.redirectUri} label="Copy redirect address" />
        </p>
      </div>
      {id === 'oidc' ? text('label', 'Name on the button', 'Single sign-on') : null}
      {id === 'google'
        ? null
        : text(
            'issuer',
            id === 'oidc' ? 'Address of the provider (issuer)' : 'Address of GitHub',
            'https://',
          )}
      <div className="grid gap-4 sm:grid-cols-2">
        {text('clientId', 'Client id')}
        <PasswordField
          label="Client secret"
          hint={source === 'stored' ? 'One is stored. Leave this empty to keep it.' : undefined}
          error={fieldErrors['clientSecret']}
          autoComplete="new-password"
          disabled={isFixed}
          value={form.clientSecret}
          onChange={(clientSecret) => set({ clientSecret })}
        />
      </div>
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      {isFixed ? null : (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={!isChanged || !isComplete} busy={update.isPending}>
            Save {provider.id === 'oidc' ? 'provider' : provider.label}
          </Button>
          {source === 'stored' ? (
            <Button busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove {provider.id === 'oidc' ? 'provider' : provider.label}
            </Button>
          ) : null}
        </div>
      )}
    </form>
  )
}
