import { unseenCharacter } from './name-rules.ts'

/** Rules about input that both the console and the server keep. */

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Something, an at-sign, something, a dot, something; no spaces, nothing unseen; at most 254 characters (RFC 5321). */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text) && unseenCharacter(text) === undefined
}

export const maxPasswordLength = 256

/** The live checklist of the sign-up screen. A password is acceptable when each rule holds. */
export const passwordRules: readonly { label: string; holds: (password: string) => boolean }[] = [
  { label: 'At least 8 characters', holds: (password) => password.length >= 8 },
  { label: 'Contains a number', holds: (password) => /\d/.test(password) },
  { label: 'Contains a special character', holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
]

export function isAcceptablePassword(password: string): boolean {
  return password.length <= maxPasswordLength && passwordRules.every((rule) => rule.holds(password))
}

/** Titles of clusters and names of node groups: a DNS label (RFC 1123), because node names are made of them. */
export function isDnsLabel(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)
}

/** Talos endpoints arrive as a list or as a JSON string of one; whatever is neither is an empty list. */
export function parseTalosEndpoints(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((item): item is string => typeof item === 'string')
  if (typeof value !== 'string') return []
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parseTalosEndpoints(parsed) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
