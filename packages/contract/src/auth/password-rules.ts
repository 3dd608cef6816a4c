export const maxPasswordLength = 256

/** The checklist of the sign-up screen. A password is acceptable if every rule holds. */
export const passwordRules: readonly { label: string; holds: (password: string) => boolean }[] = [
  { label: 'At least 8 characters', holds: (password) => password.length >= 8 },
  { label: 'Contains a number', holds: (password) => /\d/.test(password) },
  { label: 'Contains a special character', holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
]

export function isAcceptablePassword(password: string): boolean {
  return password.length <= maxPasswordLength && passwordRules.every((rule) => rule.holds(password))
}
