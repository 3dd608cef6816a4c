import { isEmail, type SecondFactorChallenge } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { session } from '../../data/session.ts'
import { errorMessage } from '../../lib/error-text.ts'

export interface Login {
  email: string
  password: string
  setEmail: (email: string) => void
  setPassword: (password: string) => void
  /** Whether what is typed can be a login. */
  isComplete: boolean
  isSubmitting: boolean
  /** Why the last attempt failed. */
  error: string | undefined
  submit: (event: SubmitEvent) => void
  /** What is still missing after the password was right. */
  challenge: SecondFactorChallenge | undefined
  setChallenge: (challenge: SecondFactorChallenge | undefined) => void
}

/** A login as it is typed and sent. Once it has succeeded the session says so, and the form continues. */
export function useLogin({ email: known = '', isEnabled = true } = {}): Login {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [isSubmitting, setSubmitting] = useState(false)
  const [error, setError] = useState<string>()
  const [challenge, setChallenge] = useState<SecondFactorChallenge>()
  const isComplete = isEmail(email) && password !== ''

  const send = async () => {
    setSubmitting(true)
    setError(undefined)
    try {
      const reply = await session.login({ email, password })
      if ('token' in reply) return
      setChallenge(reply.secondFactor)
      setPassword('')
    } catch (failure) {
      setError(errorMessage(failure, 'Failed to login'))
    }
    setSubmitting(false)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isComplete && isEnabled && !isSubmitting) void send()
  }
  return {
    email,
    password,
    setEmail,
    setPassword,
    isComplete,
    isSubmitting,
    error,
    submit,
    challenge,
    setChallenge,
  }
}
