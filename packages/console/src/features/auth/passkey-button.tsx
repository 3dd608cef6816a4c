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
import { unreachableText } from './oauth-buttons.tsx'

interface PasskeyButtonProps {
  isConnected: boolean
  /** Undefined while the server has not said how people sign in. */
  options: SignInOptions | undefined
}

/** Logs in with a passkey alone. Where passkeys do not work at this address it says why. */
export function PasskeyButton({ isConnected, options }: PasskeyButtonProps) {
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
        disabledReason={isConnected ? passkeyRefusal(options) : unreachableText}
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
