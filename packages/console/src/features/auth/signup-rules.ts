import { isAcceptablePassword, isEmail, nameError } from '@bey/contract'

export interface SignupForm {
  name: string
  organizationName: string
  email: string
  password: string
  confirmation: string
}

/** Whether the form may be sent: every field filled, the address valid, each password rule kept, both equal. */
export function canSignUp(form: SignupForm): boolean {
  return (
    isName(form.name) &&
    isName(form.organizationName) &&
    isEmail(form.email) &&
    isAcceptablePassword(form.password) &&
    form.password === form.confirmation
  )
}

function isName(text: string): boolean {
  return text.trim() !== '' && nameError(text) === undefined
}
