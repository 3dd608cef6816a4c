import { useState } from 'react'
import { errorMessage, fieldErrorsOf } from '../../../lib/error-text.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'

interface Options<Form> {
  /** What is stored, as fields show it; a secret that is kept when left empty is ''. */
  stored: Form
  update: { error: Error | null; isSuccess: boolean; reset: () => void }
  remove: { error: Error | null }
  /** What leaving the page would lose. */
  lost: string
  /** Said where the server gives no reason. */
  failureText: string
}

/** What is typed into a form of the instance's settings, whether it differs, and what was refused of it. */
export function useSettingsForm<Form extends object>(options: Options<Form>) {
  const { stored, update, remove, lost, failureText } = options
  const [form, setForm] = useState(stored)
  const isChanged = JSON.stringify(form) !== JSON.stringify(stored)
  useUnsaved(isChanged && !update.isSuccess ? lost : undefined)
  const failure = update.error ?? remove.error
  const fieldErrors = fieldErrorsOf(failure)
  // A refusal that names fields is shown at them.
  const error =
    failure && Object.keys(fieldErrors).length === 0 ? errorMessage(failure, failureText) : undefined
  const set = (part: Partial<Form>) => {
    update.reset()
    setForm({ ...form, ...part })
  }
  return { form, set, isChanged, fieldErrors, error }
}
