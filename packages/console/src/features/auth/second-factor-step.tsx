import type { SecondFactorChallenge } from '@bey/contract'
import { completeSignIn } from '../../data/sign-in.ts'
import { codeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ProofForm } from './proof-form.tsx'

export interface SecondFactorStepProps {
  challenge: SecondFactorChallenge
  /** Back to the first step, with the reason where the sign-in has expired. */
  onBack: (reason?: string) => void
}

/** The second step of a sign-in. Once it has succeeded the session says so. */
export function SecondFactorStep({ challenge, onBack }: SecondFactorStepProps) {
  return (
    <ProofForm
      methods={challenge.methods}
      ticket={challenge.ticket}
      action="Verify"
      onProof={async (proof) => {
        if ('password' in proof) return
        try {
          await completeSignIn(challenge.ticket, proof)
        } catch (error) {
          if (codeOf(error) === 'ticket_expired' && error instanceof Error)
            onBack('This sign-in has expired. Log in again.')
          throw error
        }
      }}
      aside={<Button onClick={() => onBack()}>Back</Button>}
    />
  )
}
