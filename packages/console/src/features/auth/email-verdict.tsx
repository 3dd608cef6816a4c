import { isEmail } from '@bey/contract'

/** The live label beside an email field; nothing while it is empty. */
export function EmailVerdict({ email }: { email: string }) {
  const isValid = isEmail(email)
  return (
    <span aria-live="polite" className={isValid ? 'text-ok' : 'text-danger'}>
      {email === '' ? '' : isValid ? '✓ Valid email' : '✗ Invalid email'}
    </span>
  )
}
