import type { ErrorCode } from '@bey/contract'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { causeOf, codeOf, fieldErrorsOf } from './error-text.ts'
import { useUnsaved } from './unsaved.ts'

/** What is wrong, by the path that the server gives the same field: `nodeGroups.0.name`. */
export type FieldErrors = Readonly<Record<string, string>>

export interface SubmissionOptions<Input, Output> {
  mutation: Pick<
    UseMutationResult<Output, Error, Input>,
    'error' | 'isError' | 'isPending' | 'isSuccess' | 'mutate' | 'reset'
  >
  /**
   * What the form itself finds wrong. It is shown once the form was submitted, and nothing is sent until it is
   * corrected.
   */
  invalid: FieldErrors
  /** What is sent. Undefined while something is invalid: then nothing is sent. */
  input: Input | undefined
  /** Names what leaving would lose, as in "the cluster that you describe"; undefined while nothing was typed. */
  lost: string | undefined
  /** The field that a refusal belongs to where the server names a code instead: `{ name_taken: 'title' }`. */
  fieldOfCode?: Partial<Record<ErrorCode, string>>
  /** Whether the form shows an error at this path. Default: at every path. */
  hasField?: (path: string) => boolean
  onSaved: (output: Output) => void
}

export interface Submission {
  /** What `FormPage` takes. */
  attempts: number
  isBusy: boolean
  onSubmit: () => void
  /** What to show at the fields: refusals of the server, and what is invalid once it was submitted. */
  errors: FieldErrors
  wasSubmitted: boolean
  /** Why the server refused, where the reason belongs to no field. */
  refusal: string | undefined
  /** Call it when the form changes: a refusal belongs to what was sent. */
  onChange: () => void
}

/** Submits a form: guards typed text, holds back what is invalid, and puts each refusal of the server at its field. */
export function useSubmission<Input, Output>(options: SubmissionOptions<Input, Output>): Submission {
  const { mutation, invalid, input, lost, fieldOfCode = {}, hasField = () => true, onSaved } = options
  const [attempts, setAttempts] = useState(0)
  const wasSubmitted = attempts > 0
  const endGuard = useUnsaved(mutation.isSuccess ? undefined : lost)
  const refused = refusedFields(mutation.error, fieldOfCode)
  const isAtField = Object.keys(refused).some(hasField)
  const countAttempt = () => setAttempts((count) => count + 1)
  return {
    attempts,
    isBusy: mutation.isPending,
    wasSubmitted,
    errors: { ...refused, ...(wasSubmitted ? invalid : {}) },
    refusal: mutation.error && !isAtField ? causeOf(mutation.error) : undefined,
    onChange: () => (mutation.isError ? mutation.reset() : undefined),
    onSubmit: () => {
      countAttempt()
      if (mutation.isPending || input === undefined || Object.keys(invalid).length > 0) return
      mutation.mutate(input, {
        onSuccess: (output) => {
          endGuard()
          onSaved(output)
        },
        onError: countAttempt,
      })
    },
  }
}

function refusedFields(error: unknown, fieldOfCode: Partial<Record<ErrorCode, string>>): FieldErrors {
  const code = codeOf(error)
  const field = code && fieldOfCode[code]
  return field ? { [field]: causeOf(error) } : fieldErrorsOf(error)
}
