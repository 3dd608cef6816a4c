import type { ReactNode, Ref } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { EmailVerdict } from './email-verdict.tsx'
import type { Login } from './use-login.ts'

export interface LoginFieldsProps {
  login: Login
  disabled?: boolean
  /** Beside the password's label. */
  passwordAside?: ReactNode
  emailRef?: Ref<HTMLInputElement>
}

/** What one logs in with, and why it failed; in a dialog the password is asked for first, for the address is known. */
export function LoginFields({ login, disabled = false, passwordAside, emailRef }: LoginFieldsProps) {
  return (
    <>
      <Field label="Email" aside={<EmailVerdict email={login.email} />}>
        {(control) => (
          <Input
            {...control}
            {...(emailRef ? { ref: emailRef } : {})}
            type="email"
            autoComplete="username"
            placeholder="name@example.com"
            disabled={disabled}
            value={login.email}
            onChange={(event) => login.setEmail(event.target.value)}
          />
        )}
      </Field>
      <PasswordField
        label="Password"
        aside={passwordAside}
        autoComplete="current-password"
        disabled={disabled}
        isFirst
        value={login.password}
        onChange={login.setPassword}
      />
      <div role="alert" className={login.error ? 'text-danger' : 'hidden'}>
        {login.error}
      </div>
    </>
  )
}
