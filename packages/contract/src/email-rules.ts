import { unseenCharacter } from './name-rules.ts'

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** `x@y.z` without spaces or invisible characters, of at most 254 characters (RFC 5321). */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text) && unseenCharacter(text) === undefined
}
