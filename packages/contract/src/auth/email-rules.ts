import { unseenCharacter } from '../base/name-rules.ts'

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** `x@y.z` without spaces or invisible characters, of at most 254 characters (RFC 5321). */
export function isEmail(text: string): boolean {
  return text.length <= 254 && emailPattern.test(text) && unseenCharacter(text) === undefined
}

/** The sender of mails: an address, or a name with its address, as in `Bey <bey@example.com>`. */
export function isMailSender(text: string): boolean {
  return /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text)
}
