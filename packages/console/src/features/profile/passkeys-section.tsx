import { nameError, type Passkey } from '@bey/contract'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useAddPasskey } from '../../data/account.ts'
import { createPasskey, isPasskeyCancelled, passkeyRefusal, useSignInOptions } from '../../data/sign-in.ts'
import { useChange } from '../../data/use-change.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { userAgentText } from '../../lib/user-agent.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** The user's passkeys, and a way to add one. */
export function PasskeysSection({ passkeys }: { passkeys: readonly Passkey[] }) {
  const options = useSignInOptions()
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey>()
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      {passkeys.length > 0 ? (
        <ul aria-label="Passkeys" className="w-full divide-y divide-line rounded-card border border-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center justify-between gap-3 px-3 py-2">
              <PasskeyText passkey={passkey} />
              <Button size="small" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoved(passkey)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-text-2">
          None yet. A passkey logs you in by fingerprint, face, PIN or security key.
        </p>
      )}
      <Button
        icon={<KeyRound size={14} aria-hidden />}
        disabledReason={passkeyRefusal(options)}
        onClick={() => setAdding(true)}
      >
        Add a passkey
      </Button>
      <Dialog open={isAdding} onOpenChange={setAdding} title="Add a passkey" size="small" isModalStrict>
        {isAdding ? <AddPasskey onDone={() => setAdding(false)} /> : null}
      </Dialog>
      {removed ? <RemovePasskey passkey={removed} onDone={() => setRemoved(undefined)} /> : null}
    </div>
  )
}

function PasskeyText({ passkey }: { passkey: Passkey }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <span className="min-w-0 break-words">{passkey.name}</span>
        {passkey.isBackedUp ? <Badge>synced</Badge> : null}
      </p>
      <p className="text-small text-text-2">
        {passkey.relyingParty} · added <RelativeTime at={passkey.createdAt} /> ·{' '}
        {passkey.lastUsedAt ? (
          <>
            used <RelativeTime at={passkey.lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
      </p>
    </div>
  )
}

function AddPasskey({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState(() => userAgentText(navigator.userAgent))
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const add = useAddPasskey()
  const wrong = name.trim() === '' ? 'Enter a name.' : nameError(name)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (wrong !== undefined || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await add.mutateAsync({ name: name.trim(), passkey: await createPasskey() })
      onDone()
    } catch (failure) {
      setError(
        isPasskeyCancelled(failure)
          ? 'The browser made no passkey. It was cancelled, or this device has one for your account already.'
          : errorMessage(failure, 'The passkey could not be added'),
      )
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 pb-2">
      <Field label="Name" hint="To recognize the device by." error={wrong}>
        {(control) => (
          <Input
            {...control}
            data-initial-focus=""
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isBusy} disabled={wrong !== undefined}>
          Continue
        </Button>
      </div>
    </form>
  )
}

function RemovePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const remove = useChange('account.removePasskey')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onDone())}
      title="Remove this passkey?"
      name={passkey.name}
      impactTitle="From then on:"
      impact={['It no longer logs you in. Delete it on the device, too.']}
      action="Remove passkey"
      busy={remove.isPending}
      error={remove.error ? errorMessage(remove.error, 'The passkey could not be removed') : undefined}
      onConfirm={() => remove.mutate({ params: { id: passkey.id } }, { onSuccess: onDone })}
    />
  )
}
