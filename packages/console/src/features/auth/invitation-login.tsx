import { Button } from '../../ui/button.tsx'
import { LoginFields } from './login-fields.tsx'
import { useLogin } from './use-login.ts'

interface InvitationLoginProps {
  /** The invited address, which has an account. */
  email: string
  /** Called when the login is sent: the signed-in person wants to join. */
  onSubmit: () => void
}

/** The login of the invited account. */
export function InvitationLogin({ email, onSubmit }: InvitationLoginProps) {
  const login = useLogin({ email })
  return (
    <form
      onSubmit={(event) => {
        onSubmit()
        login.submit(event)
      }}
      className="flex flex-col gap-4"
    >
      <LoginFields login={login} />
      <Button
        type="submit"
        variant="primary"
        busy={login.isSubmitting}
        disabled={!login.isSubmitting && !login.isComplete}
      >
        Login and join
      </Button>
    </form>
  )
}
