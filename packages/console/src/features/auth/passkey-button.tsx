import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import {
  isPasskeyCancelled,
  loginWithPasskey,
  passkeyRefusal,
  type SignInOptions,
} from '../../data/sign-in.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'

/** Logs in with a passkey alone. Where passkeys do not work at this address it says why. */
export function PasskeyButton({ options }: { options: SignInOptions | undefined }) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const login = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await loginWithPasskey()
    } catch (failure) {
      if (!isPasskeyCancelled(failure)) setError(errorMessage(failure, 'Failed to login'))
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        className="mt-2 w-full"
        icon={<KeyRound size={14} aria-hidden />}
        busy={isBusy}
        disabledReason={passkeyRefusal(options)}
        onClick={() => void login()}
      >
        Passkey
      </Button>
      <div role="alert" className={error ? 'mt-3 text-danger' : 'hidden'}>
        {error}
      </div>
    </>
  )
}
