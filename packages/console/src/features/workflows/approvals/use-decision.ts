import type { Approval } from '@bey/contract'
import { useState } from 'react'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { defaultsOf } from '../schema-form/field-schema.ts'
import { filledInput, inputErrors } from '../schema-form/input-errors.ts'
import { fieldErrorsOf } from '../../../lib/error-text.ts'

export type Decision = ReturnType<typeof useDecision>

/** What somebody fills in before they approve or reject, and what is still wrong with it. */
export function useDecision({ id, form, deniedReason, status }: Approval) {
  const [comment, setComment] = useState('')
  const [values, setValues] = useState<Record<string, unknown>>(() => defaultsOf(form))
  const [{ tried, attempts }, setTried] = useState<{ tried?: 'approve' | 'reject'; attempts: number }>({
    attempts: 0,
  })
  const decide = useChange('workflows.decide')
  // A decision that waits for the connection could be about something else by then.
  const stale = useStaleReason()
  const filled = filledInput(form, values)
  const wrong = inputErrors(form, filled, 'form')
  const fieldErrors = fieldErrorsOf(decide.error)
  const isUnreasoned = comment.trim() === ''
  return {
    isPending: status === 'pending',
    isDenied: deniedReason !== null,
    /** Why nothing can be decided now. */
    refused: deniedReason ?? stale,
    values,
    setValue: (name: string, value: unknown) => setValues((known) => ({ ...known, [name]: value })),
    errorOf: (name: string) =>
      fieldErrors[`form.${name}`] ?? (tried === 'approve' ? wrong[`form.${name}`] : undefined),
    comment,
    setComment,
    commentError: tried === 'reject' && isUnreasoned ? 'Say why you reject it.' : undefined,
    /** How often it was sent or could not be, for something was missing. */
    attempts,
    sending: decide.isPending ? decide.variables.body.decision : undefined,
    error: decide.error,
    send: (decision: 'approve' | 'reject') => {
      setTried({ tried: decision, attempts: attempts + 1 })
      const isIncomplete = decision === 'approve' ? Object.keys(wrong).length > 0 : isUnreasoned
      if (isIncomplete || decide.isPending) return
      const ofForm = form && decision === 'approve' ? { form: filled } : {}
      decide.mutate({ params: { approvalId: id }, body: { decision, comment: comment.trim(), ...ofForm } })
    },
  }
}
