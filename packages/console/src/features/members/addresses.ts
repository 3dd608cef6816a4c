import { isEmail } from '@bey/contract'

/** The addresses of a text as people paste it: separated by commas, semicolons, blanks or lines, each once. */
export function parseAddresses(text: string): string[] {
  const found = text
    // "Ada Lovelace <ada@example.com>" as mail programs write it: the words of the name are no addresses.
    .replace(/[^,;\n<>]*<([^>]*)>/g, ' $1 ')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase())
  return [...new Set(found)]
}

/** Those that are no addresses. */
export function invalidAddresses(addresses: readonly string[]): string[] {
  return addresses.filter((address) => !isEmail(address))
}
