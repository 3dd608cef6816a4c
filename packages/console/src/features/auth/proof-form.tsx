import type { PasskeyAssertion, SecondFactorMethod } from '@bey/contract'
import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { isPasskeyCancelled, signWithPasskey } from '../../data/sign-in.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

export type ProofMethod = SecondFactorMethod | 'password'

/** One of them: what was given to prove who is there. */
export type GivenProof =
  | { password: string }
  | { code: string }
  | { recoveryCode: string }
  | { passkey: PasskeyAssertion }

export interface ProofFormProps {
  /** In the order in which they are offered; the first is shown. */
  methods: readonly ProofMethod[]
  /** Of a sign-in that is under way; without one the present session is confirmed. */
  ticket?: string
  action: string
  /** Rejects with what is wrong, which the form shows. */
  onProof: (proof: GivenProof) => Promise<void>
  /** Beside the button. */
  aside?: ReactNode
}

const names: Record<ProofMethod, string> = {
  password: 'your password',
  totp: 'a code of your app',
  passkey: 'a passkey',
  recovery: 'a recovery code',
}

/** Asks for one proof of who is there, with a way to the others. */
export function ProofForm({ methods, ticket, action, onProof, aside }: ProofFormProps) {
  const [chosen, setChosen] = useState<ProofMethod>()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const method = chosen ?? methods[0] ?? 'totp'

  const choose = (next: ProofMethod) => {
    setChosen(next)
    setText('')
    setError(undefined)
  }
  const send = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onProof(await proofOf(method, text, ticket))
    } catch (failure) {
      if (!isPasskeyCancelled(failure)) setError(errorMessage(failure, 'This could not be confirmed'))
      setText('')
    }
    setBusy(false)
  }
  const isComplete =
    method === 'passkey' || (method === 'totp' ? /^\d{3} ?\d{3}$/.test(text.trim()) : text !== '')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isComplete && !isBusy) void send()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <ProofField key={method} method={method} value={text} onChange={setText} />
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" busy={isBusy} disabled={!isComplete && !isBusy}>
          {method === 'passkey' ? 'Use a passkey' : action}
        </Button>
        {aside}
      </div>
      {methods.length > 1 ? (
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-small text-text-2">
          {methods
            .filter((each) => each !== method)
            .map((each) => (
              <button
                key={each}
                type="button"
                onClick={() => choose(each)}
                className="min-h-6 font-medium text-accent-text underline-offset-2 hover:underline"
              >
                Use {names[each]} instead
              </button>
            ))}
        </p>
      ) : null}
    </form>
  )
}

interface ProofFieldProps {
  method: ProofMethod
  value: string
  onChange: (value: string) => void
}

function ProofField({ method, value, onChange }: ProofFieldProps) {
  if (method === 'passkey') {
    return <p className="text-text-2">Your browser asks for your fingerprint, face, PIN or security key.</p>
  }
  if (method === 'password') {
    return (
      <PasswordField
        label="Password"
        autoComplete="current-password"
        isFirst
        value={value}
        onChange={onChange}
      />
    )
  }
  const isCode = method === 'totp'
  return (
    <Field
      label={isCode ? 'Code of your authenticator app' : 'Recovery code'}
      hint={isCode ? 'Six digits, a new one every 30 seconds.' : 'Each works once.'}
    >
      {(control) => (
        <Input
          {...control}
          data-initial-focus=""
          // The step before has taken the focus with it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          className="font-mono tabular-nums"
          inputMode={isCode ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={isCode ? 7 : 40}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

async function proofOf(method: ProofMethod, text: string, ticket: string | undefined): Promise<GivenProof> {
  switch (method) {
    case 'password':
      return { password: text }
    case 'totp':
      return { code: text }
    case 'recovery':
      return { recoveryCode: text }
    case 'passkey':
      return { passkey: await signWithPasskey(ticket === undefined ? {} : { ticket }) }
  }
}
